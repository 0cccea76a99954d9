package io.millrace.spring.boot;

import io.millrace.SequenceGeneratorSnapshot;
import io.millrace.SequenceGenerators;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * {@code OUT_OF_SERVICE} while a sequence has nothing buffered and its reservations fail. Reads the
 * generators' snapshots: it starts no reservation and takes no value.
 *
 * <p>Reservations no longer count as failing when the delay after the last one is over and no
 * subscriber waits: the next request tries again. Otherwise an instance that is out of service, and
 * so gets no requests, would stay out of service.
 *
 * <p>The sequences of templates count as one, which is out of service if all of them are. Those
 * with a permanent failure do not count: a tenant without a row is not an outage.
 */
final class GeneratorsHealth implements HealthIndicator {

  private final SequenceGenerators generators;

  GeneratorsHealth(SequenceGenerators generators) {
    this.generators = generators;
  }

  @Override
  public Health health() {
    Map<String, Object> sequences = new LinkedHashMap<>();
    boolean outOfService = false;
    for (String name : generators.names()) {
      SequenceGeneratorSnapshot state = generators.get(name).snapshot();
      outOfService |= GeneratorStates.isOutOfService(state);
      sequences.put(name, GeneratorStates.details(state));
    }
    Health.Builder health = Health.up().withDetail("sequences", sequences);
    Set<String> named = Set.copyOf(generators.names());
    List<SequenceGeneratorSnapshot> others =
        generators.snapshots().stream()
            .filter(each -> !named.contains(each.name()))
            .filter(each -> !GeneratorStates.isPermanent(each))
            .toList();
    if (!others.isEmpty()) {
      long out = others.stream().filter(GeneratorStates::isOutOfService).count();
      outOfService |= out == others.size();
      health.withDetail("templates", Map.of("generators", others.size(), "outOfService", out));
    }
    return health.status(outOfService ? Status.OUT_OF_SERVICE : Status.UP).build();
  }
}
