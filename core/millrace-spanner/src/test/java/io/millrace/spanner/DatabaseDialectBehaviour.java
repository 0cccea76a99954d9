package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.SpannerExceptionFactory;
import io.millrace.test.emulator.EmulatorDatabase;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** What a database answers when it is asked for its dialect. */
abstract class DatabaseDialectBehaviour {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Test
  void aDialectThatCouldNotBeAskedForIsAskedForAgainAndThenKept(EmulatorDatabase database) {
    AtomicInteger reads = new AtomicInteger();
    DatabaseClient client = failingFirst(database.client(), reads);
    Mono<Dialect> asked = DatabaseDialect.of(client);

    StepVerifier.create(asked).expectError(SpannerException.class).verify(LIMIT);
    assertThat(asked.block(LIMIT)).isEqualTo(database.client().getDialect());
    assertThat(asked.block(LIMIT)).isEqualTo(database.client().getDialect());
    assertThat(reads).hasValue(2);
  }

  /** Like the client's own look-up, this fails while the database cannot be reached. */
  private static DatabaseClient failingFirst(DatabaseClient client, AtomicInteger reads) {
    return Proxies.of(
        DatabaseClient.class,
        (proxy, method, arguments) -> {
          if (method.getName().equals("singleUse") && reads.incrementAndGet() == 1) {
            throw SpannerExceptionFactory.newSpannerException(ErrorCode.UNAVAILABLE, "on purpose");
          }
          return Proxies.call(client, method, arguments);
        });
  }
}
