package io.millrace.spring.boot;

import io.millrace.internal.LogSafe;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/** Reports why the application cannot start, if Millrace knows that. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class StartFailureAnalyzer implements FailureAnalyzer {

  /** A name, because its class needs Spring Data. */
  private static final String WRONG_ANNOTATION = "io.millrace.spring.SequenceValueException";

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
          ? property(refused)
          : null;
    }
    return failure.getClass().getName().equals(WRONG_ANNOTATION)
        ? new FailureAnalysis(
            failure.getMessage() + ".",
            "Correct the annotation, or the property that it marks.",
            failure)
        : null;
  }

  /** Unlike Spring Boot's own report, also finds environment variables and {@code blockSize}. */
  private FailureAnalysis property(InvalidConfigurationPropertyValueException refused) {
    ConfigurationPropertyName name = ConfigurationPropertyName.adapt(refused.getName(), '.');
    ConfigurationProperty found = null;
    for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
      found = found == null ? source.getConfigurationProperty(name) : found;
    }
    Object value = found == null ? refused.getValue() : found.getValue();
    String origin =
        found == null || found.getOrigin() == null ? "" : ", set by " + found.getOrigin();
    String shown = refused.getName().substring(MillraceProperties.PREFIX.length() + 1);
    return new FailureAnalysis(
        "The property %s%s%s is refused: %s"
            .formatted(
                PropertyRefusal.shown(shown),
                value == null ? "" : " = " + LogSafe.quote(value.toString()),
                origin,
                refused.getReason()),
        "Change the value as the reason says.",
        refused);
  }
}
