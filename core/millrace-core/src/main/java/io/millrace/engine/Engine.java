package io.millrace.engine;

import io.millrace.Sequence;
import io.millrace.SequenceGenerator;
import java.util.function.LongUnaryOperator;

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

  /** Makes the sequence of {@link Sequence#map}. */
  public static Sequence map(Sequence source, LongUnaryOperator mapper) {
    return new MappedSequence(source, mapper);
  }
}
