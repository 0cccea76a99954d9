package io.millrace.spring.boot;

import io.millrace.SequenceGeneratorSnapshot;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.internal.ShownText;
import java.time.Duration;
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
import reactor.core.scheduler.Schedulers;

/**
 * The sequences of the application. A read uses the snapshots of existing generators; only for a
 * sequence without gaps, which has no generator, does it read the counter in the database. A write
 * moves a counter forward. It requires {@code management.endpoint.sequences.access=unrestricted};
 * the default is read-only.
 */
@Endpoint(id = "sequences", defaultAccess = Access.READ_ONLY)
final class SequencesEndpoint {

  /** The most sequences of templates that are listed. */
  static final int LISTED = 100;

  private static final int GATEWAY_TIMEOUT = 504;

  private final SequenceGenerators generators;
  private final TransactionalRows rows;
  private final MillraceProperties properties;
  private final @Nullable SequenceStore store;
  private final Duration timeout;

  SequencesEndpoint(
      SequenceGenerators generators, TransactionalRows rows, @Nullable SequenceStore store) {
    this.generators = generators;
    this.rows = rows;
    this.properties = rows.properties();
    this.store = store;
    this.timeout = properties.requestTimeout();
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
        .forEach(each -> ofTemplates.put(each.name(), GeneratorStates.name(each)));
    return Map.of(
        "sequences",
        named,
        "transactional",
        properties.transactional().keySet(),
        "ofTemplates",
        ofTemplates,
        "generatorsOfTemplates",
        others.size());
  }

  private String state(String name) {
    return GeneratorStates.name(generators.get(name).snapshot());
  }

  /** The snapshots of the sequences that are not named in the properties. */
  private Stream<SequenceGeneratorSnapshot> others() {
    Set<String> named = Set.copyOf(generators.names());
    return generators.snapshots().stream().filter(each -> !named.contains(each.name()));
  }

  /** One sequence; empty, and so status 404, if there is none of that name. */
  @ReadOperation
  Mono<Map<String, Object>> sequence(
      @Selector(match = Selector.Match.ALL_REMAINING) String... name) {
    String sequence = String.join("/", name);
    if (generators.names().contains(sequence)) {
      return Mono.just(details("sequence", generators.get(sequence).snapshot()));
    }
    if (isTransactional(sequence)) {
      return transactional(sequence);
    }
    return Mono.justOrEmpty(
        others()
            .filter(each -> each.name().equals(sequence))
            .findFirst()
            .map(of -> details("template", of)));
  }

  private boolean isTransactional(String sequence) {
    return properties.transactional().containsKey(sequence);
  }

  private static Map<String, Object> names(String kind, String sequence, String row) {
    Map<String, Object> names = new LinkedHashMap<>();
    names.put("sequence", sequence);
    names.put("kind", kind);
    names.put("row", row);
    return names;
  }

  /** The counter as committed transactions left it, or why it cannot be read. */
  private Mono<Map<String, Object>> transactional(String sequence) {
    String row = rows.counting(sequence); // once, because a period may end
    Map<String, Object> details = names("transactional", sequence, row);
    if (store == null) {
      return Mono.just(details);
    }
    return store
        .state(row)
        .map(SequenceState::nextValue)
        .onErrorResume(
            SequenceNotFoundException.class,
            missing ->
                Mono.justOrEmpty(rows.firstOfPeriod(sequence)).switchIfEmpty(Mono.error(missing)))
        .subscribeOn(Schedulers.boundedElastic()) // a first request may block
        .timeout(timeout)
        .doOnNext(next -> details.put("nextValue", next))
        .onErrorResume(
            failure -> {
              details.put("lastFailure", failure.toString());
              return Mono.empty();
            })
        .then(Mono.just(details));
  }

  private Map<String, Object> details(String kind, SequenceGeneratorSnapshot of) {
    Map<String, Object> details = names(kind, of.name(), rows.counting(of.name()));
    details.put("state", GeneratorStates.name(of));
    details.put("buffered", of.buffered());
    details.put("blockSize", of.blockSize());
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
   * Moves the counter of a sequence forward. A counter that is already at or above the value is not
   * moved. Buffered values are still issued.
   *
   * @param acceptGap must be true for a sequence without gaps, because the skipped numbers are
   *     never issued
   * @return the next value of the counter; status 400 and a reason if the sequence is unknown, has
   *     no row, or cannot be moved to that value; status 504 if the store does not respond
   */
  @WriteOperation
  Mono<WebEndpointResponse<Map<String, Object>>> moveForward(
      @Selector(match = Selector.Match.ALL_REMAINING) String[] name,
      long nextValue,
      @Nullable Boolean acceptGap) {
    String sequence = String.join("/", name);
    String shown = "sequence " + ShownText.quote(sequence);
    if (store == null) {
      return refused("there is no single bean of type SequenceStore whose counters could be moved");
    }
    boolean isKnown =
        generators.names().contains(sequence)
            || isTransactional(sequence)
            || others().anyMatch(each -> each.name().equals(sequence));
    if (!isKnown) {
      return refused("there is no " + shown);
    }
    LargestValue largest = LargestValue.of(sequence, properties);
    if (nextValue < 1 || nextValue > largest.value()) {
      return refused("nextValue must be from 1 to " + largest + ", was " + nextValue);
    }
    if (isTransactional(sequence) && !Boolean.TRUE.equals(acceptGap)) {
      return refused(
          shown
              + " has no gaps, and this would leave one: unissued numbers below "
              + nextValue
              + " would never be issued. To accept the gap, also send \"acceptGap\": true");
    }
    return store
        .moveForward(rows.counting(sequence), nextValue)
        .map(
            moved ->
                new WebEndpointResponse<>(
                    Map.<String, Object>of("sequence", sequence, "nextValue", moved.nextValue())))
        .onErrorResume(
            SequenceNotFoundException.class,
            missing -> refused(shown + " has no row in the table of counters"))
        .onErrorResume(
            UnsupportedOperationException.class,
            cannot -> refused("the counters of this store cannot be moved: " + cannot.getMessage()))
        .subscribeOn(Schedulers.boundedElastic()) // a first request may block
        .timeout(
            timeout,
            error(
                GATEWAY_TIMEOUT,
                "the store did not answer within "
                    + timeout
                    + ", and it is not known whether "
                    + shown
                    + " was moved. The request can be repeated"));
  }

  private static Mono<WebEndpointResponse<Map<String, Object>>> refused(String reason) {
    return error(WebEndpointResponse.STATUS_BAD_REQUEST, reason);
  }

  /** The reason is in the body. The message of an exception would be left out there. */
  private static Mono<WebEndpointResponse<Map<String, Object>>> error(int status, String reason) {
    return Mono.just(new WebEndpointResponse<>(Map.of("error", reason), status));
  }
}
