package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TransactionalSequence;
import io.millrace.insert.InsertOutcome;
import io.millrace.insert.InsertOutcome.Rejected;
import io.r2dbc.spi.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What numbered pipelines promise whatever gives the numbers, an application's own code too. */
class NumberedInsertsTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final ScriptedDriver driver = new ScriptedDriver();

  /** Gives the numbers from 7 on, and perhaps not as many as it is asked for. */
  private record FromSeven(int more) implements TransactionalSequence<Connection> {

    FromSeven() {
      this(0);
    }

    @Override
    public String name() {
      return "numbers";
    }

    @Override
    public Mono<List<Long>> next(Connection transaction, int count) {
      return Mono.just(LongStream.range(7, 7 + count + more).boxed().toList());
    }
  }

  private List<InsertOutcome<Long>> outcomes(int rows, R2dbcInserts<Long> inserts) {
    return Objects.requireNonNull(
        Flux.range(0, rows)
            .map(Long::valueOf)
            .transform(
                inserts
                    .groupSize(rows)
                    .concurrency(1)
                    .retries(1, Duration.ofMillis(1), Duration.ofMillis(2))
                    .ordered()
                    .outcomes())
            .collectList()
            .block(LIMIT));
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 1})
  void aSequenceThatGivesAWrongCountOfNumbersWritesNothing(int more) {
    R2dbcInserts<Long> inserts =
        R2dbcInserts.<Long>into(driver, "events", (n, row) -> row.set("id", n))
            .dialect(R2dbcDialect.POSTGRESQL)
            .numbered(new FromSeven(more), (n, number) -> number);

    assertThat(outcomes(3, inserts))
        .hasSize(3)
        .allSatisfy(
            outcome ->
                assertThat(outcome)
                    .isInstanceOfSatisfying(
                        Rejected.class,
                        rejected ->
                            assertThat(rejected.reason())
                                .hasMessageContaining("request for 3 numbers")));

    assertThat(driver.count("begin")).as("not repeated and not split").isOne();
    assertThat(driver.count("execute")).isZero();
    assertThat(driver.count("commit")).isZero();
  }
}
