package io.millrace.spring.boot;

import io.millrace.SequenceException;
import io.millrace.SequenceGeneratorSnapshot;
import io.millrace.SequenceGenerators;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the health check and the endpoint show of generators. */
final class GeneratorStates {

  private GeneratorStates() {}

  /** The named sequences, whether they have a generator or not. */
  static Stream<SequenceGeneratorSnapshot> named(SequenceGenerators generators) {
    return generators.names().stream().map(name -> generators.get(name).snapshot());
  }

  /** The sequences of templates that have a generator now. */
  static Stream<SequenceGeneratorSnapshot> ofTemplates(SequenceGenerators generators) {
    Set<String> named = Set.copyOf(generators.names());
    return generators.snapshots().stream().filter(each -> !named.contains(each.name()));
  }

  /** A generator is out of service if nothing is buffered and its reservations fail. */
  static boolean isOutOfService(SequenceGeneratorSnapshot generator) {
    return generator.failing() && generator.buffered() == 0;
  }

  static boolean isPermanent(@Nullable Throwable failure) {
    return failure instanceof SequenceException typed && typed.isPermanent();
  }

  static String status(SequenceGeneratorSnapshot generator) {
    return isOutOfService(generator) ? "OUT_OF_SERVICE" : "UP";
  }

  static Map<String, Object> details(SequenceGeneratorSnapshot of) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("status", status(of));
    details.put("buffered", of.buffered());
    details.put("blockSize", of.blockSize());
    details.put("lowWatermark", of.lowWatermark());
    details.put("waiters", of.waiters());
    details.put("unmetDemand", of.unmetDemand());
    details.put("issued", of.issued());
    details.put("discarded", of.discarded());
    details.put("reservations", of.reservations());
    details.put("reservationInFlight", of.reservationInFlight());
    of.remaining().ifPresent(values -> details.put("remaining", values));
    Throwable failure = of.lastFailure();
    if (failure != null) {
      details.put("lastFailure", failure.toString());
    }
    return details;
  }
}
