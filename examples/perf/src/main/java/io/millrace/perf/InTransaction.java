package io.millrace.perf;

import com.google.cloud.spanner.DatabaseClient;
import io.millrace.spanner.SpannerTransactions;
import io.millrace.spanner.TransactionalSequence;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * The guide's simple and synchronous generators: the values are taken in the application's
 * transaction, which then takes the application's time and commits. Nothing is had before the
 * commit, so what counts as taking the values is the transaction without that time.
 */
final class InTransaction implements Generator {

  private record Held(List<Long> values, long applicationNanos) {}

  private final DatabaseClient client;
  private final TransactionalSequence sequence;
  private final Duration appLatency;

  InTransaction(DatabaseClient client, TransactionalSequence sequence, Duration appLatency) {
    this.client = client;
    this.sequence = sequence;
    this.appLatency = appLatency;
  }

  @Override
  public Mono<Void> warmUp() {
    return SpannerTransactions.readWrite(client, sequence::next).then();
  }

  @Override
  public Mono<Taken> turn(int count) {
    return Mono.defer(
        () -> {
          long start = System.nanoTime();
          return SpannerTransactions.readWrite(
                  client, tx -> sequence.next(tx, count).flatMap(this::spendTime))
              .map(
                  held ->
                      new Taken(
                          held.values(), System.nanoTime() - start - held.applicationNanos(), 0));
        });
  }

  private Mono<Held> spendTime(List<Long> values) {
    long start = System.nanoTime();
    return Mono.delay(appLatency).map(done -> new Held(values, System.nanoTime() - start));
  }

  @Override
  public long waste() {
    return 0;
  }

  @Override
  public Mono<Void> close() {
    return Mono.empty();
  }
}
