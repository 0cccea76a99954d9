package io.millrace;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The sequence that {@link Sequence#map} returns. */
final class MappedSequence implements Sequence {

  private final Sequence source;
  private final LongUnaryOperator mapper;

  MappedSequence(Sequence source, LongUnaryOperator mapper) {
    this.source = source;
    this.mapper = Objects.requireNonNull(mapper, "mapper");
  }

  @Override
  public Mono<Long> next() {
    return source.next().map(mapper::applyAsLong);
  }

  @Override
  public Mono<List<Long>> next(int count) {
    return source.next(count).map(values -> values.stream().map(mapper::applyAsLong).toList());
  }

  @Override
  public Flux<Long> values() {
    return source.values().map(mapper::applyAsLong);
  }

  @Override
  public <T, R> Function<Flux<T>, Flux<R>> assign(Assigner<? super T, ? extends R> assigner) {
    Objects.requireNonNull(assigner, "assigner");
    return source.assign((element, value) -> assigner.apply(element, mapper.applyAsLong(value)));
  }
}
