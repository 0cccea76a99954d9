package io.millrace.spring.boot;

import io.millrace.SequenceGeneratorSnapshot;

/** Whether a generator is in service, for the health check and the endpoint. */
final class GeneratorStates {

  private GeneratorStates() {}

  /** A generator is out of service if nothing is buffered and its latest reservation failed. */
  static boolean isOutOfService(SequenceGeneratorSnapshot generator) {
    return generator.lastFailure() != null && generator.buffered() == 0;
  }

  static String name(SequenceGeneratorSnapshot generator) {
    return isOutOfService(generator) ? "OUT_OF_SERVICE" : "UP";
  }
}
