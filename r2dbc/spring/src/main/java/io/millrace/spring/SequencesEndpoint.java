package io.millrace.spring;

import io.millrace.SequenceGeneratorSnapshot;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceNotFoundException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import reactor.core.publisher.Mono;

/**
 * The sequences of the application. Reading looks at the generators' snapshots: it makes no
 * generator and no request to the database. Writing moves a counter forward. It needs {@code
 * management.endpoint.sequences.access=unrestricted}; the default is read-only.
 */
@Endpoint(id = "sequences", defaultAccess = Access.READ_ONLY)
final class SequencesEndpoint {

  /** The most sequences of templates that are listed. */
  static final int LISTED = 100;

  private final SequenceGenerators generators;
  private final MillraceProperties properties;
  private final @Nullable ForwardMoves moves;

  SequencesEndpoint(
      SequenceGenerators generators, MillraceProperties properties, @Nullable ForwardMoves moves) {
    this.generators = generators;
    this.properties = properties;
    this.moves = moves;
  }

  /** The named sequences, and those of templates that have a generator now. */
  @ReadOperation
  Map<String, Object> sequences() {
    Map<String, Object> named = new LinkedHashMap<>();
    generators.names().forEach(name -> named.put(name, state(name)));
    List<SequenceGeneratorSnapshot> others = others().toList();
    Map<String, Object> ofTemplates = new LinkedHashMap<>();
    others.stream()
        .limit(LISTED)
        .forEach(each -> ofTemplates.put(each.sequence(), GeneratorStates.name(each)));
    return Map.of(
        "sequences",
        named,
        "transactional",
        properties.getTransactional().keySet(),
        "ofTemplates",
        ofTemplates,
        "generatorsOfTemplates",
        others.size());
  }

  private String state(String name) {
    return GeneratorStates.name(generators.get(name).snapshot());
  }

  /** The snapshots of the sequences that have no name of their own in the properties. */
  private Stream<SequenceGeneratorSnapshot> others() {
    Set<String> named = Set.copyOf(generators.names());
    return generators.snapshots().stream().filter(each -> !named.contains(each.sequence()));
  }

  /** One sequence; null, and so status 404, if there is none of that name. */
  @ReadOperation
  @Nullable Map<String, Object> sequence(
      @Selector(match = Selector.Match.ALL_REMAINING) String... name) {
    String sequence = String.join("/", name);
    if (generators.names().contains(sequence)) {
      return details(generators.get(sequence).snapshot());
    }
    return others()
        .filter(each -> each.sequence().equals(sequence))
        .findFirst()
        .map(SequencesEndpoint::details)
        .orElse(null);
  }

  private static Map<String, Object> details(SequenceGeneratorSnapshot of) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("sequence", of.sequence());
    details.put("state", GeneratorStates.name(of));
    details.put("buffered", of.buffered());
    details.put("batchSize", of.batchSize());
    details.put("lowWatermark", of.lowWatermark());
    details.put("waiters", of.waiters());
    details.put("unmetDemand", of.unmetDemand());
    details.put("issued", of.issued());
    details.put("discarded", of.discarded());
    details.put("reservations", of.reservations());
    details.put("reservationInFlight", of.reservationInFlight());
    details.put("failing", of.failing());
    GeneratorStates.addCapacity(of, details);
    Throwable failure = of.lastFailure();
    if (failure != null) {
      details.put("lastFailure", failure.toString());
    }
    return details;
  }

  /**
   * Moves the counter of a sequence forward. A counter that is at or above the value stays where it
   * is. Values that are buffered are still issued.
   *
   * @return the next value that the counter will give; status 400 and a reason if the sequence is
   *     unknown, has no row, or cannot be moved
   */
  @WriteOperation
  Mono<WebEndpointResponse<Map<String, Object>>> moveForward(
      @Selector(match = Selector.Match.ALL_REMAINING) String[] name, long nextValue) {
    String sequence = String.join("/", name);
    if (moves == null) {
      return refused("the store is the application's own, so its counters cannot be moved here");
    }
    boolean isKnown =
        generators.names().contains(sequence)
            || properties.getTransactional().containsKey(sequence)
            || others().anyMatch(each -> each.sequence().equals(sequence));
    if (!isKnown) {
      return refused("there is no sequence '" + sequence + "'");
    }
    if (nextValue < 1) {
      return refused("nextValue must be from 1 to " + Long.MAX_VALUE + ", was " + nextValue);
    }
    return moves
        .moveForward(properties.rowOf(sequence), nextValue)
        .map(
            moved ->
                new WebEndpointResponse<>(
                    Map.<String, Object>of("sequence", sequence, "nextValue", moved.nextValue())))
        .onErrorResume(
            SequenceNotFoundException.class,
            missing -> refused("sequence '" + sequence + "' has no row in the table of counters"));
  }

  /**
   * Status 400 with the reason in the body. The message of an exception would be left out there.
   */
  private static Mono<WebEndpointResponse<Map<String, Object>>> refused(String reason) {
    return Mono.just(
        new WebEndpointResponse<>(Map.of("error", reason), WebEndpointResponse.STATUS_BAD_REQUEST));
  }
}
