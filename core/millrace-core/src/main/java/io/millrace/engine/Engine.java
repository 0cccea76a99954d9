package io.millrace.engine;

import io.millrace.Sequence;
import io.millrace.Sequence.Assigner;
import io.millrace.SequenceGenerator;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import reactor.core.publisher.Flux;

/** Entry points of the engine for the API package. */
public final class Engine {

  private Engine() {}

  /**
   * Makes a generator, and notifies its recorder.
   *
   * @return a generator that has made no request yet
   */
  public static SequenceGenerator generator(GeneratorConfig config) {
    BufferedSequenceGenerator generator = new BufferedSequenceGenerator(config, null);
    generator.opened();
    return generator;
  }

  /** Makes the operator of {@link Sequence#assign}. */
  public static <T, R> Function<Flux<T>, Flux<R>> assign(
      Flux<Long> values, Assigner<? super T, ? extends R> assigner) {
    return AssignFlux.operator(values, assigner);
  }

  /** Makes the sequence of {@link Sequence#map}. */
  public static Sequence map(Sequence source, LongUnaryOperator mapper) {
    return new MappedSequence(source, mapper);
  }
}
