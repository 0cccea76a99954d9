package io.millrace.perf;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.Mutation;
import io.millrace.spanner.SpannerTransaction;
import io.millrace.spanner.SpannerTransactions;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * A read-write transaction in the database of the sequence. It reads a row, lasts for the
 * application's time, and writes the row. Each client has its own row, so the clients do not
 * compete for a lock.
 */
final class ApplicationTransaction implements Application {

  private static final String TABLE = "sequences";
  private static final String KEY = "name";
  private static final String VALUE = "next_value";

  private final DatabaseClient client;
  private final String sequence;
  private final Duration latency;

  ApplicationTransaction(DatabaseClient client, String sequence, Duration latency) {
    this.client = client;
    this.sequence = sequence;
    this.latency = latency;
  }

  @Override
  public Mono<Void> work(int client) {
    String row = row(sequence, client);
    return SpannerTransactions.readWrite(this.client, transaction -> work(transaction, row)).then();
  }

  /** The row of a client. Removing the rows of the sequence removes it, too. */
  static String row(String sequence, int client) {
    return sequence + "#app" + client;
  }

  private Mono<Long> work(SpannerTransaction transaction, String row) {
    return transaction
        .readRow(TABLE, Key.of(row), List.of(VALUE))
        .map(read -> read.getLong(0))
        .defaultIfEmpty(0L)
        .delayUntil(read -> Mono.delay(latency))
        .doOnNext(
            read ->
                transaction.buffer(
                    Mutation.newInsertOrUpdateBuilder(TABLE)
                        .set(KEY)
                        .to(row)
                        .set(VALUE)
                        .to(read + 1)
                        .build()));
  }
}
