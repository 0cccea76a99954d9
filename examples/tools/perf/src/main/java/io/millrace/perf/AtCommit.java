package io.millrace.perf;

import com.google.cloud.spanner.DatabaseClient;
import io.millrace.TransactionalSequence;
import io.millrace.spanner.SpannerTransaction;
import io.millrace.spanner.SpannerTransactions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Mono;

/**
 * As {@link InTransaction}, with the application's time first: the value is taken when it is over,
 * before the commit.
 */
final class AtCommit implements Generator {

  private final DatabaseClient database;
  private final TransactionalSequence<SpannerTransaction> sequence;
  private final Duration appLatency;

  AtCommit(
      DatabaseClient database,
      TransactionalSequence<SpannerTransaction> sequence,
      Duration appLatency) {
    this.database = database;
    this.sequence = sequence;
    this.appLatency = appLatency;
  }

  @Override
  public Mono<Void> warmUp() {
    return SpannerTransactions.readWrite(database, sequence::next).then();
  }

  /** The mode has one value a turn. */
  @Override
  public Mono<TakenValues> turn(int client, int count) {
    return Mono.defer(
        () -> {
          long start = System.nanoTime();
          AtomicLong application = new AtomicLong();
          return SpannerTransactions.readWrite(
                  database,
                  tx -> {
                    long begun = System.nanoTime();
                    return Mono.delay(appLatency)
                        .doOnNext(done -> application.addAndGet(System.nanoTime() - begun))
                        .then(sequence.atCommit(tx, Mono::just));
                  })
              .flatMap(value -> value)
              .map(
                  value ->
                      new TakenValues(
                          List.of(value), System.nanoTime() - start - application.get(), 0));
        });
  }

  @Override
  public long waste() {
    return 0;
  }

  @Override
  public void close() {}
}
