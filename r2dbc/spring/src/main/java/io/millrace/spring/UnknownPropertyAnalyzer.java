package io.millrace.spring;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Reports unknown {@code millrace.*} properties with their places and the nearest known names. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class UnknownPropertyAnalyzer
    extends AbstractFailureAnalyzer<UnboundConfigurationPropertiesException> {

  private static final ConfigurationPropertyName PREFIX =
      ConfigurationPropertyName.of(MillraceProperties.PREFIX);

  private static final ConfigurationPropertyName DIALECT =
      ConfigurationPropertyName.of(SpannerSql.PROPERTY);

  @Override
  protected @Nullable FailureAnalysis analyze(
      Throwable rootFailure, UnboundConfigurationPropertiesException failure) {
    List<ConfigurationProperty> unknown =
        failure.getUnboundProperties().stream()
            .filter(property -> PREFIX.isAncestorOf(property.getName()))
            .toList();
    if (unknown.isEmpty()) {
      return null;
    }
    StringBuilder description =
        new StringBuilder("Unknown configuration properties:%n".formatted());
    unknown.forEach(property -> description.append("%n- ".formatted()).append(text(property)));
    return new FailureAnalysis(
        description.toString(),
        "Correct the names, or remove these properties. All properties of Millrace are in docs/properties.md.",
        failure);
  }

  private static String text(ConfigurationProperty property) {
    ConfigurationPropertyName name = property.getName();
    String shown = "'" + PropertyRefusal.shown(name.toString()) + "'";
    String place = property.getOrigin() == null ? "" : " (" + property.getOrigin() + ")";
    if (name.equals(DIALECT)) {
      return shown
          + place
          + ": it has an effect only as a JVM system property, or in spring.properties on the class path";
    }
    String nearest = PropertyNames.nearestTo(name);
    return shown
        + place
        + (nearest == null ? "" : ": did you mean '" + PropertyRefusal.shown(nearest) + "'?");
  }
}
