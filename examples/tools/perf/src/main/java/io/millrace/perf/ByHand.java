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
final class ByHand implements Generator {

  private static final String TABLE = "sequences";
  private static final String KEY = "name";
  private static final String VALUE = "next_value";

  private final DatabaseClient client;
  private final String sequence;
  private final Duration appLatency;
  private final Scheduler threads;

  ByHand(DatabaseClient client, String sequence, Duration appLatency, int clients) {
    this.client = client;
    this.sequence = sequence;
    this.appLatency = appLatency;
    this.threads = Schedulers.newBoundedElastic(clients, Integer.MAX_VALUE, "perf-by-hand");
  }

  @Override
  public Mono<Void> warmUp() {
    return turn(0, 1).then();
  }

  @Override
  public Mono<TakenValues> turn(int number, int count) {
    return Mono.fromCallable(() -> take(count)).subscribeOn(threads);
  }

  private TakenValues take(int count) {
    long start = System.nanoTime();
    LongAdder application = new LongAdder();
    Long taken =
        client
            .readWriteTransaction()
            .run(
                transaction -> {
                  long first = readAndMove(transaction, sequence, count);
                  long began = System.nanoTime();
                  TimeUnit.NANOSECONDS.sleep(appLatency.toNanos());
                  application.add(System.nanoTime() - began);
                  return first;
                });
    long first = Objects.requireNonNull(taken);
    return new TakenValues(
        LongStream.range(first, first + count).boxed().toList(),
        System.nanoTime() - start - application.sum(),
        0);
  }

  /** Reads a counter, and buffers its update. */
  static long readAndMove(TransactionContext transaction, String sequence, int count) {
    Struct row =
        Objects.requireNonNull(
            transaction.readRow(TABLE, Key.of(sequence), List.of(VALUE)), sequence);
    long first = row.getLong(0);
    transaction.buffer(
        Mutation.newUpdateBuilder(TABLE)
            .set(KEY)
            .to(sequence)
            .set(VALUE)
            .to(first + count)
            .build());
    return first;
  }

  @Override
  public long waste() {
    return 0;
  }

  @Override
  public void close() {
    threads.dispose();
  }
}
