package io.millrace.insert;

import io.millrace.TckVerification;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/** The rules of Reactive Streams for the rows of a pipeline. */
public class InsertsTckTest extends TckVerification<Integer> {

  @Override
  public Publisher<Integer> createPublisher(long elements) {
    return rows(Flux.range(0, (int) elements));
  }

  @Override
  public Publisher<Integer> createFailedPublisher() {
    return rows(Flux.error(new IllegalStateException("failed")));
  }

  private static Flux<Integer> rows(Flux<Integer> source) {
    return source
        .map(i -> i % 100)
        .transform(new TestInserts(FunctionWriter.instant()).groupSize(5).concurrency(3).rows());
  }

  @Override
  public long maxElementsFromPublisher() {
    return 1_000_000;
  }
}
