package io.millrace.engine;

import io.millrace.ObjLongFunction;
import io.millrace.Sequence;
import io.millrace.SequenceGenerator;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import reactor.core.publisher.Flux;

/** Makes what the API's types promise. */
public final class Engine {

  private Engine() {}

  /**
   * Makes a generator, and notifies its recorder.
   *
   * @param config its options
   * @return a generator that has made no request yet
   */
  public static SequenceGenerator generator(GeneratorConfig config) {
    BufferedSequenceGenerator generator = new BufferedSequenceGenerator(config, null);
    generator.opened();
    return generator;
  }

  /**
   * Makes the operator of {@link Sequence#assign}.
   *
   * @param values the values of a sequence
   * @param assigner joins an element and its value
   * @param <T> the elements
   * @param <R> the elements with their values
   * @return an operator for {@code Flux.transform}
   */
  public static <T, R> Function<Flux<T>, Flux<R>> assign(
      Flux<Long> values, ObjLongFunction<? super T, ? extends R> assigner) {
    return AssignFlux.operator(values, assigner);
  }

  /**
   * Makes the sequence of {@link Sequence#map}.
   *
   * @param source a sequence
   * @param mapper applied to each of its values
   * @return the mapped sequence
   */
  public static Sequence map(Sequence source, LongUnaryOperator mapper) {
    return new MappedSequence(source, mapper);
  }
}
