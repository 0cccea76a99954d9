package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import com.google.cloud.spanner.DatabaseClient;
import io.millrace.SequenceStore;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.r2dbc.autoconfigure.DataR2dbcAutoConfiguration;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The starter in the contexts of tests. */
final class Starter {

  private Starter() {}

  /** Without a database. */
  static ApplicationContextRunner bare() {
    return new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(MillraceAutoConfiguration.class));
  }

  static ApplicationContextRunner over(SequenceStore store) {
    return bare().withBean(SequenceStore.class, () -> store);
  }

  /** With a new database in memory, its transactions, and Spring Data. */
  static ApplicationContextRunner onH2() {
    return bare()
        .withConfiguration(
            AutoConfigurations.of(
                R2dbcAutoConfiguration.class,
                R2dbcTransactionManagerAutoConfiguration.class,
                DataR2dbcAutoConfiguration.class))
        .withPropertyValues("spring.r2dbc.generate-unique-name=true");
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
