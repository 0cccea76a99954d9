package io.millrace.engine;

import io.millrace.InlineScheduler;
import io.millrace.SequenceGenerator;
import io.millrace.TckVerification;
import io.millrace.test.InMemorySequenceStore;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/** The rules of Reactive Streams for a publisher, over a store that answers at once. */
public class AssignFluxTckTest extends TckVerification<Long> {

  private static Publisher<Long> assigned(Flux<Long> source) {
    return source.transform(
        SequenceGenerator.builder(InMemorySequenceStore.withSequence("s", 1), "s")
            .blockSize(10)
            .scheduler(new InlineScheduler())
            .build()
            .<Long, Long>assign((element, value) -> value));
  }

  @Override
  public Publisher<Long> createPublisher(long elements) {
    return assigned(
        elements == Long.MAX_VALUE
            ? Flux.just(0L).repeat()
            : Flux.range(0, (int) elements).map(Long::valueOf));
  }

  @Override
  public Publisher<Long> createFailedPublisher() {
    return assigned(Flux.error(new IllegalStateException("expected")));
  }
}
