package io.millrace.r2dbc.spring;

import io.millrace.SequenceException;
import io.millrace.SequenceGeneratorSnapshot;
import io.millrace.SequenceGenerators;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * Reads what the generators know, and asks neither them nor the database for anything.
 *
 * <p>{@code OUT_OF_SERVICE} while a sequence has nothing buffered and its reservations fail. It is
 * {@code UP} again when a delay of the backoff has passed and nobody waits: where an instance that
 * is out of service gets no requests, nobody would try the database otherwise, and it would stay
 * out for ever.
 *
 * <p>Sequences of templates count together, out of service if all are: a tenant whose row is
 * missing is no outage.
 */
final class GeneratorsHealth implements HealthIndicator {

  private final SequenceGenerators generators;
  private final @Nullable StoreHealth store;

  GeneratorsHealth(SequenceGenerators generators, @Nullable StoreHealth store) {
    this.generators = generators;
    this.store = store;
  }

  @Override
  public Health health() {
    Map<String, Object> sequences = new LinkedHashMap<>();
    boolean out = false;
    for (String name : generators.names()) {
      SequenceGeneratorSnapshot state = generators.get(name).snapshot();
      out |= isOut(state);
      sequences.put(name, details(state));
    }
    List<SequenceGeneratorSnapshot> others = others();
    long othersOut = others.stream().filter(each -> isOut(each) && !isPermanent(each)).count();
    Health.Builder health =
        out || (!others.isEmpty() && othersOut == others.size())
            ? Health.outOfService()
            : Health.up();
    health.withDetail("sequences", sequences);
    if (!others.isEmpty()) {
      health.withDetail(
          "templates", Map.of("generators", others.size(), "outOfService", othersOut));
    }
    if (store != null) {
      health.withDetail("connections", store.connections());
    }
    return health.build();
  }

  private List<SequenceGeneratorSnapshot> others() {
    Set<String> named = Set.copyOf(generators.names());
    return generators.snapshots().stream()
        .filter(each -> !named.contains(each.sequence()))
        .toList();
  }

  private static boolean isOut(SequenceGeneratorSnapshot state) {
    return state.failing() && state.buffered() == 0;
  }

  private static boolean isPermanent(SequenceGeneratorSnapshot state) {
    return state.lastFailure() instanceof SequenceException typed && typed.isPermanent();
  }

  private static Map<String, Object> details(SequenceGeneratorSnapshot state) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("status", isOut(state) ? Status.OUT_OF_SERVICE.getCode() : Status.UP.getCode());
    details.put("buffered", state.buffered());
    details.put("waiters", state.waiters());
    details.put("issued", state.issued());
    details.put("reservationInFlight", state.reservationInFlight());
    Throwable failure = state.lastFailure();
    if (failure != null) {
      details.put("lastFailure", failure.toString());
    }
    return details;
  }
}
