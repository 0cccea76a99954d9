package io.millrace.spring.boot;

import io.millrace.SequenceException;
import io.millrace.SequenceGenerator;
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
import reactor.core.publisher.Mono;

/**
 * {@code OUT_OF_SERVICE} while a sequence has nothing buffered and its latest reservation failed.
 * Reads the generators' snapshots and does not wait.
 *
 * <p>If a generator is out of service and no subscriber waits for it, the check makes it try again:
 * an instance that is out of service may get no requests, and would stay out of service forever.
 * Each check starts at most one reservation of a sequence, and none before the backoff's delay has
 * passed.
 *
 * <p>The sequences of a template count as one, which is out of service if all of them are: a tenant
 * without a row is not an outage. The check makes one of them try again, for all of them.
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
    boolean outOfService = false;
    for (String name : generators.names()) {
      SequenceGeneratorSnapshot state = generators.get(name).snapshot();
      if (GeneratorStates.isOutOfService(state)) {
        outOfService = true;
        tryAgain(state);
      }
      sequences.put(name, details(state));
    }
    List<SequenceGeneratorSnapshot> others = others();
    List<SequenceGeneratorSnapshot> counted =
        others.stream()
            .filter(each -> !GeneratorStates.isOutOfService(each) || !isPermanent(each))
            .toList();
    List<SequenceGeneratorSnapshot> othersOutOfService =
        counted.stream().filter(GeneratorStates::isOutOfService).toList();
    if (!counted.isEmpty() && othersOutOfService.size() == counted.size()) {
      outOfService = true;
      tryAgain(othersOutOfService.get(0));
    }
    Health.Builder health = Health.status(outOfService ? Status.OUT_OF_SERVICE : Status.UP);
    health.withDetail("sequences", sequences);
    if (!others.isEmpty()) {
      Map<String, Object> templates = new LinkedHashMap<>();
      templates.put("generators", others.size());
      templates.put("outOfService", othersOutOfService.size());
      health.withDetail("templates", templates);
    }
    if (store != null) {
      health.withDetail("connections", store.connections());
    }
    return health.build();
  }

  private List<SequenceGeneratorSnapshot> others() {
    Set<String> named = Set.copyOf(generators.names());
    return generators.snapshots().stream().filter(each -> !named.contains(each.name())).toList();
  }

  /** In the ordered mode, which keeps no values, a successful try uses up one value. */
  private void tryAgain(SequenceGeneratorSnapshot state) {
    if (!state.failing()) {
      SequenceGenerator generator = generators.get(state.name());
      Mono<?> attempt = state.blockSize() == 1 ? generator.next() : generator.warmup();
      attempt.subscribe(value -> {}, failure -> {}); // the next check reads the result
    }
  }

  private static boolean isPermanent(SequenceGeneratorSnapshot state) {
    return state.lastFailure() instanceof SequenceException typed && typed.isPermanent();
  }

  private static Map<String, Object> details(SequenceGeneratorSnapshot state) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("status", GeneratorStates.name(state));
    details.put("buffered", state.buffered());
    details.put("waiters", state.waiters());
    details.put("issued", state.issued());
    details.put("reservationInFlight", state.reservationInFlight());
    state.remaining().ifPresent(values -> details.put("remaining", values));
    Throwable failure = state.lastFailure();
    if (failure != null) {
      details.put("lastFailure", failure.toString());
    }
    return details;
  }
}
