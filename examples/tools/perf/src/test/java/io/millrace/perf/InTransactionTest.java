package io.millrace.perf;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.Dialect;
import io.millrace.spanner.SpannerSequenceStore;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerEmulator;
import io.millrace.test.emulator.SpannerTest;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** On an emulator that aborts transactions at random. */
@SpannerTest
class InTransactionTest {

  private static final Duration APPLICATION = Duration.ofMillis(5);
  private static final int TURNS = 500;

  @Test
  void theApplicationsTimeInAttemptsThatWereAbortedIsNotTimeOfTakingAValue() {
    SpannerEmulator emulator = SpannerEmulator.findWithFaults().orElseThrow();
    try (EmulatorDatabase database = emulator.createDatabase(Dialect.GOOGLE_STANDARD_SQL);
        Connection connection =
            Connection.open(
                interceptors ->
                    emulator.connect(options -> options.setInterceptorProvider(interceptors)))) {
      SpannerSequenceStore rows =
          SpannerSequenceStore.create(connection.spanner().getDatabaseClient(database.id()));
      database.update(rows.createTableDdl(Dialect.GOOGLE_STANDARD_SQL));
      rows.create("s", 1).block();
      try (InTransaction generator =
          new InTransaction(
              connection.spanner().getDatabaseClient(database.id()),
              rows.transactional("s"),
              APPLICATION)) {
        assertThat(applicationNanosOfAnAbortedTurn(generator, connection.requests()))
            .isGreaterThanOrEqualTo(2 * APPLICATION.toNanos());
      }
    }
  }

  /** What a turn with an aborted commit does not count as taking a value. */
  private static long applicationNanosOfAnAbortedTurn(
      InTransaction generator, RequestCounter requests) {
    for (int turn = 0; turn < TURNS; turn++) {
      long aborted = requests.aborted();
      long start = System.nanoTime();
      TakenValues taken = Objects.requireNonNull(generator.turn(0, 1).block());
      long whole = System.nanoTime() - start;
      if (requests.aborted() > aborted) {
        return whole - taken.nanos();
      }
    }
    throw new AssertionError("none of " + TURNS + " turns was aborted");
  }
}
