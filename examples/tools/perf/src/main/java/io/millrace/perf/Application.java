package io.millrace.perf;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.Mutation;
import io.millrace.spanner.SpannerTransaction;
import io.millrace.spanner.SpannerTransactions;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Mono;

/** The application's work after it has taken a value. */
@FunctionalInterface
interface Application {

  /** The work of a client's iteration. Completes when it is done; blocks no thread. */
  Mono<Void> work(int client);

  /** Only waits. */
  static Application timer(Duration latency) {
    return client -> Mono.delay(latency).then();
  }

  /**
   * A read-write transaction in the database of the sequence. It reads a row, lasts for the
   * application's time, and writes the row. Each client has its own row, so the clients do not
   * compete for a lock.
   */
  static Application transaction(DatabaseClient database, Duration latency) {
    return client ->
        SpannerTransactions.readWrite(
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
