package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import com.google.cloud.spanner.DatabaseClient;
import java.util.stream.Stream;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;

/** The starter in the contexts of tests. */
final class Starter {

  private Starter() {}

  /** The starter's auto-configurations, and more. */
  static AutoConfigurations with(Class<?>... more) {
    return AutoConfigurations.of(
        Stream.concat(Stream.of(MillraceAutoConfiguration.class), Stream.of(more))
            .toArray(Class<?>[]::new));
  }

  /** Checks that the start fails because of this property. */
  static void assertRefused(
      AssertableApplicationContext context, String property, String... reasons) {
    Throwable failure = context.getStartupFailure();
    while (failure != null && !(failure instanceof StartFailedException)) {
      failure = failure.getCause();
    }
    if (!(failure instanceof StartFailedException refused)) {
      throw new AssertionError("no property was refused", context.getStartupFailure());
    }
    assertThat(refused.property()).isEqualTo(property);
    assertThat(refused.getMessage()).contains(reasons);
  }

  /** Spanner's client, as far as it is used before the first request. */
  static DatabaseClient spanner() {
    return mock(DatabaseClient.class);
  }
}
