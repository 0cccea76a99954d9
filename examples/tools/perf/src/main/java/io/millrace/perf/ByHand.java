package io.millrace.perf;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Struct;
import com.google.cloud.spanner.TransactionContext;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * What SIMPLE and SYNC are compared with: a transaction that the client runs, as in Google's guide.
 * It reads the counter, buffers its update, spends the application's time and commits; the client
 * retries it after an abort. Each client of the run has a thread, which it blocks.
 */
final class ByHand implements Taking, AutoCloseable {

  private final DatabaseClient client;
  private final Duration appLatency;
  private final Scheduler threads;

  ByHand(DatabaseClient client, Duration appLatency, int clients) {
    this.client = client;
    this.appLatency = appLatency;
    this.threads = Schedulers.newBoundedElastic(clients, Integer.MAX_VALUE, "perf-by-hand");
  }

  @Override
  public Mono<Taken> turn(int number, int count) {
    return Mono.fromCallable(() -> take(count)).subscribeOn(threads);
  }

  private Taken take(int count) {
    long start = System.nanoTime();
    LongAdder application = new LongAdder();
    Long taken =
        client
            .readWriteTransaction()
            .run(
                transaction -> {
                  long first = readAndMove(transaction, count);
                  long began = System.nanoTime();
                  TimeUnit.NANOSECONDS.sleep(appLatency.toNanos());
                  application.add(System.nanoTime() - began);
                  return first;
                });
    long first = Objects.requireNonNull(taken);
    return new Taken(
        LongStream.range(first, first + count).boxed().toList(),
        System.nanoTime() - start - application.sum());
  }

  /** Reads the counter, and buffers its update. */
  static long readAndMove(TransactionContext transaction, int count) {
    Key key = Key.of(Place.SEQUENCE);
    Struct row =
        Objects.requireNonNull(transaction.readRow("sequences", key, List.of("next_value")));
    long first = row.getLong(0);
    transaction.buffer(
        Mutation.newUpdateBuilder("sequences")
            .set("name")
            .to(Place.SEQUENCE)
            .set("next_value")
            .to(first + count)
            .build());
    return first;
  }

  @Override
  public void close() {
    threads.dispose();
  }
}
