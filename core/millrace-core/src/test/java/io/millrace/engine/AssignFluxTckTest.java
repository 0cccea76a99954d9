package io.millrace.engine;

import io.millrace.TckVerification;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.SynchronousSink;

/** The rules of Reactive Streams for a publisher, with values that arrive synchronously. */
public class AssignFluxTckTest extends TckVerification<Long> {

  @Override
  public Publisher<Long> createPublisher(long elements) {
    Flux<Long> values =
        Flux.generate(
            () -> 0L,
            (Long next, SynchronousSink<Long> sink) -> {
              sink.next(next);
              return next + 1;
            });
    Flux<Long> source =
        elements == Long.MAX_VALUE
            ? Flux.just(0L).repeat()
            : Flux.range(0, (int) elements).map(Long::valueOf);
    return new AssignFlux<>(source, values, (element, value) -> value);
  }

  @Override
  public Publisher<Long> createFailedPublisher() {
    return new AssignFlux<>(
        Flux.error(new IllegalStateException("expected")),
        Flux.just(1L),
        (element, value) -> value);
  }
}
