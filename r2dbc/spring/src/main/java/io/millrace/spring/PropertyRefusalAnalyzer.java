package io.millrace.spring;

import io.millrace.internal.ShownText;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Reports a refused {@code millrace.*} property with its value, place and limit. Spring Boot's own
 * report looks for the exact text of the name. This one also finds {@code lowWatermark} and
 * environment variables.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class PropertyRefusalAnalyzer
    extends AbstractFailureAnalyzer<InvalidConfigurationPropertyValueException> {

  private final Environment environment;

  PropertyRefusalAnalyzer(Environment environment) {
    this.environment = environment;
  }

  @Override
  protected @Nullable FailureAnalysis analyze(
      Throwable rootFailure, InvalidConfigurationPropertyValueException refused) {
    if (!refused.getName().startsWith(MillraceProperties.PREFIX + ".")) {
      return null;
    }
    ConfigurationPropertyName name = ConfigurationPropertyName.adapt(refused.getName(), '.');
    ConfigurationProperty found = find(name);
    Object value =
        found != null && found.getName().equals(name) ? found.getValue() : refused.getValue();
    StringBuilder description =
        new StringBuilder(
                value == null
                    ? "Configuration"
                    : "Invalid value " + ShownText.quote(value.toString()) + " for configuration")
            .append(" property '" + PropertyRefusal.shown(refused.getName()) + "'");
    if (found != null && found.getOrigin() != null) {
      description.append(" (originating from '%s')".formatted(found.getOrigin()));
    }
    description
        .append(". Validation failed for the following reason:%n%n".formatted())
        .append(refused.getReason());
    return new FailureAnalysis(
        description.toString(),
        "Review the value of the property with the provided reason.",
        refused);
  }

  /** The property, or the first one below it if it is a group. */
  private @Nullable ConfigurationProperty find(ConfigurationPropertyName name) {
    for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
      ConfigurationProperty found = source.getConfigurationProperty(name);
      if (found == null && source instanceof IterableConfigurationPropertySource names) {
        found = below(name, names);
      }
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static @Nullable ConfigurationProperty below(
      ConfigurationPropertyName group, IterableConfigurationPropertySource source) {
    try (Stream<ConfigurationPropertyName> names = source.stream()) {
      return names
          .filter(group::isAncestorOf)
          .findFirst()
          .map(source::getConfigurationProperty)
          .orElse(null);
    }
  }
}
