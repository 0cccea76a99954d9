package io.millrace;

import io.millrace.engine.GeneratorConfig;
import io.millrace.engine.NamedGenerators;

/** What tests of the engine see of the API's objects. */
public final class Internals {

  private Internals() {}

  public static GeneratorConfig configOf(SequenceGeneratorBuilder builder) {
    return builder.config();
  }

  public static NamedGenerators of(SequenceGenerators generators) {
    return generators.live();
  }
}
