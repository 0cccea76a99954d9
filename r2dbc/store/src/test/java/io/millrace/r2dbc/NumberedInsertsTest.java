package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TransactionalSequence;
import io.millrace.insert.InsertOutcome;
import io.millrace.insert.InsertOutcome.Committed;
import io.r2dbc.spi.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What numbered pipelines promise whatever gives the numbers, an application's own code too. */
class NumberedInsertsTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final ScriptedDriver driver = new ScriptedDriver();

  /** Gives the numbers from 7 on. */
  private static final class FromSeven implements TransactionalSequence<Connection> {

    @Override
    public String sequence() {
      return "numbers";
    }

    @Override
    public Mono<Long> next(Connection transaction) {
      return Mono.just(7L);
    }

    @Override
    public Mono<List<Long>> next(Connection transaction, int count) {
      return Mono.just(LongStream.range(7, 7 + count).boxed().toList());
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
  @CsvSource({"39999, 1", "40000, 2"})
  void aNumberedGroupLeavesRoomForTheCellsOfTheCounter(int rows, int commits) {
    R2dbcInserts<Long> inserts =
        R2dbcInserts.<Long>into(driver, "events", (n, row) -> row.set("id", n).set("v", n))
            .dialect(R2dbcDialect.SPANNER)
            .numbered(new FromSeven(), (n, number) -> number);

    assertThat(outcomes(rows, inserts)).hasSize(rows).hasOnlyElementsOfType(Committed.class);

    assertThat(driver.count("commit")).isEqualTo(commits);
  }
}
