package io.millrace.perf;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.Mutation;
import io.millrace.spanner.SpannerTransaction;
import io.millrace.spanner.SpannerTransactions;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Mono;

/** The application's work with a value. The names are those of {@code --app}. */
enum Application {
  /**
   * A read-write transaction in the database of the sequence. It reads a row, lasts for the
   * application's time, and writes the row. Each client has its own row, so the clients do not
   * compete for a lock.
   */
  TRANSACTION,
  /** Only waits. */
  TIMER;

  /** The work of a client's iteration. Completes when it is done; blocks no thread. */
  Mono<Void> work(DatabaseClient database, int client, Duration latency) {
    return this == TIMER
        ? Mono.delay(latency).then()
        : SpannerTransactions.readWrite(
                database, transaction -> work(transaction, "application " + client, latency))
            .then();
  }

  private static Mono<Long> work(SpannerTransaction transaction, String row, Duration latency) {
    return transaction
        .readRow("sequences", Key.of(row), List.of("next_value"))
        .map(read -> read.getLong(0))
        .defaultIfEmpty(0L)
        .delayUntil(read -> Mono.delay(latency))
        .doOnNext(
            read ->
                transaction.buffer(
                    Mutation.newInsertOrUpdateBuilder("sequences")
                        .set("name")
                        .to(row)
                        .set("next_value")
                        .to(read + 1)
                        .build()));
  }
}
