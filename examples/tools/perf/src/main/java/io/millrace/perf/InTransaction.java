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
 * The guide's simple and synchronous generators. The values are taken in the application's
 * transaction, which then spends the application's time and commits. The values are not usable
 * before the commit, so the time of taking them is that of the transaction with all its attempts,
 * without the application's time.
 */
record InTransaction(
    DatabaseClient database,
    TransactionalSequence<SpannerTransaction> sequence,
    Duration appLatency)
    implements Taking {

  @Override
  public Mono<Taken> turn(int client, int count) {
    return Mono.defer(
        () -> {
          long start = System.nanoTime();
          AtomicLong application = new AtomicLong();
          return SpannerTransactions.readWrite(database, tx -> take(tx, count, application))
              .map(values -> new Taken(values, System.nanoTime() - start - application.get()));
        });
  }

  private Mono<List<Long>> take(SpannerTransaction transaction, int count, AtomicLong application) {
    return sequence.next(transaction, count).delayUntil(values -> spendTime(application));
  }

  private Mono<Long> spendTime(AtomicLong application) {
    long start = System.nanoTime();
    return Mono.delay(appLatency)
        .doOnNext(done -> application.addAndGet(System.nanoTime() - start));
  }
}
