package io.millrace.spring.boot;

import static org.mockito.Mockito.mock;

import com.google.cloud.spanner.DatabaseClient;
import java.util.stream.Stream;
import org.springframework.boot.autoconfigure.AutoConfigurations;

/** What the starter configures. */
final class Starter {

  private Starter() {}

  /** The starter's auto-configurations, and more. */
  static AutoConfigurations with(Class<?>... more) {
    return AutoConfigurations.of(
        Stream.concat(Stream.of(MillraceAutoConfiguration.class), Stream.of(more))
            .toArray(Class<?>[]::new));
  }

  /** Spanner's client, as far as it is used before the first request. */
  static DatabaseClient spanner() {
    return mock(DatabaseClient.class);
  }
}
