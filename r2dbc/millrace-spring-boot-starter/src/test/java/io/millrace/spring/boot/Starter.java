package io.millrace.spring.boot;

import java.util.stream.Stream;
import org.springframework.boot.autoconfigure.AutoConfigurations;

/** What the starter configures. */
final class Starter {

  private Starter() {}

  /** The starter's auto-configurations, and more. */
  static AutoConfigurations with(Class<?>... more) {
    return AutoConfigurations.of(
        Stream.concat(
                Stream.of(
                    SpannerSequencesAutoConfiguration.class,
                    R2dbcSequencesAutoConfiguration.class,
                    MillraceAutoConfiguration.class),
                Stream.of(more))
            .toArray(Class<?>[]::new));
  }
}
