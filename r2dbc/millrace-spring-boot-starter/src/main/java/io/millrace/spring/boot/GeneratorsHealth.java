package io.millrace.spring.boot;

import io.millrace.SequenceGeneratorSnapshot;
import io.millrace.SequenceGenerators;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

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
record GeneratorsHealth(SequenceGenerators generators) implements HealthIndicator {

  @Override
  public Health health() {
    Map<String, Object> sequences = new LinkedHashMap<>();
    List<SequenceGeneratorSnapshot> named = GeneratorStates.named(generators).toList();
    named.forEach(each -> sequences.put(each.name(), GeneratorStates.details(each)));
    List<SequenceGeneratorSnapshot> others =
        GeneratorStates.ofTemplates(generators)
            .filter(each -> !GeneratorStates.isPermanent(each.lastFailure()))
            .toList();
    long out = others.stream().filter(GeneratorStates::isOutOfService).count();
    Health.Builder health = Health.up().withDetail("sequences", sequences);
    if (!others.isEmpty()) {
      health.withDetail("templates", Map.of("generators", others.size(), "outOfService", out));
    }
    return (out > 0 && out == others.size())
            || named.stream().anyMatch(GeneratorStates::isOutOfService)
        ? health.outOfService().build()
        : health.build();
  }
}
