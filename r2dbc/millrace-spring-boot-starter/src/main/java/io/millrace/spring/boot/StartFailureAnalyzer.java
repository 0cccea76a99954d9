package io.millrace.spring.boot;

import io.millrace.internal.ShownText;
import io.millrace.spring.SequenceValue;
import io.millrace.spring.SequenceValueException;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Reports why the application cannot start, if Millrace knows that: a refused {@code millrace.*}
 * property with its place, value and limit, a {@link SequenceValue} that cannot work, Spring Data
 * without its dialect for Spanner, and each {@link StartFailedException}.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class StartFailureAnalyzer implements FailureAnalyzer {

  static final String MAPPING_EXCEPTION = "org.springframework.data.mapping.MappingException";

  /** What Spring Data and Spring's DatabaseClient throw over a database that they do not know. */
  private static final Set<String> NO_DIALECT =
      Set.of("NoDialectException", "NoBindMarkersFactoryException");

  /** Whether Spring Data is there, without which {@link SequenceValueException} has no class. */
  private static final boolean HAS_ENTITIES =
      ClassUtils.isPresent(MAPPING_EXCEPTION, StartFailureAnalyzer.class.getClassLoader());

  private final Environment environment;

  StartFailureAnalyzer(Environment environment) {
    this.environment = environment;
  }

  @Override
  public @Nullable FailureAnalysis analyze(Throwable failure) {
    return Stream.<Throwable>iterate(failure, Objects::nonNull, Throwable::getCause)
        .limit(50)
        .map(this::known)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private @Nullable FailureAnalysis known(Throwable failure) {
    if (failure instanceof StartFailedException failed) {
      return new FailureAnalysis(failed.description(), failed.action(), failed);
    }
    if (failure instanceof InvalidConfigurationPropertyValueException refused) {
      return refused.getName().startsWith(MillraceProperties.PREFIX + ".")
          ? refusedProperty(refused)
          : null;
    }
    if (NO_DIALECT.contains(failure.getClass().getSimpleName()) && isOnSpanner()) {
      return new FailureAnalysis(
          "Spring does not know Cloud Spanner: " + failure.getMessage(),
          "Add the dependency io.millrace:millrace-r2dbc-spanner.",
          failure);
    }
    return HAS_ENTITIES && failure instanceof SequenceValueException
        ? wrongAnnotation(failure)
        : null;
  }

  private boolean isOnSpanner() {
    return environment.getProperty("spring.r2dbc.url", "").startsWith("r2dbc:cloudspanner:");
  }

  private static FailureAnalysis wrongAnnotation(Throwable failure) {
    String action =
        failure.getCause() instanceof UnknownSequenceException unknown
            ? "Correct the name in the annotation, or add the sequence: millrace.%s.create=true, for example."
                .formatted(
                    PropertyRefusal.shown(PropertyRefusal.place("sequences", unknown.name())))
            : "Change the annotation, or the property that it marks.";
    return new FailureAnalysis(failure.getMessage() + ".", action, failure);
  }

  /**
   * Spring Boot's own report looks for the exact text of the name. This one also finds {@code
   * lowWatermark} and environment variables.
   */
  private FailureAnalysis refusedProperty(InvalidConfigurationPropertyValueException refused) {
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
