package io.millrace.spring.boot;

import io.millrace.internal.LogSafe;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/** Reports why the application cannot start, if Millrace knows that. */
@Order(Ordered.HIGHEST_PRECEDENCE)
record StartFailureAnalyzer(Environment environment) implements FailureAnalyzer {

  /** A name, because its class needs Spring Data. */
  private static final String WRONG_ANNOTATION = "io.millrace.spring.SequenceValueException";

  @Override
  public @Nullable FailureAnalysis analyze(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof StartFailedException failed) {
        return new FailureAnalysis(
            failed.description() + setting(failed.property()), failed.action(), failed);
      }
      if (cause.getClass().getName().equals(WRONG_ANNOTATION)) {
        return new FailureAnalysis(
            cause.getMessage() + ".",
            "Correct the annotation, or the property that it marks.",
            cause);
      }
    }
    return null;
  }

  /** Finds the property as Spring Boot does, also {@code blockSize} and environment variables. */
  private String setting(@Nullable String property) {
    if (property == null) {
      return "";
    }
    ConfigurationPropertyName name =
        ConfigurationPropertyName.adapt(MillraceProperties.PREFIX + "." + property, '.');
    for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
      ConfigurationProperty found = source.getConfigurationProperty(name);
      if (found != null) {
        return "%n%n    Value: %s%n    Origin: %s"
            .formatted(LogSafe.quote(found.getValue().toString()), found.getOrigin());
      }
    }
    return "";
  }
}
