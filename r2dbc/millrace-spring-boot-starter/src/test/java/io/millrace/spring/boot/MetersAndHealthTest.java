package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceMetricsRecorder;
import io.millrace.spring.SequenceGeneratorBuilderCustomizer;
import io.millrace.test.InMemorySequenceStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Meters and health of the generators. */
class MetersAndHealthTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("a", 1);

  private final ApplicationContextRunner inMemory =
      Starter.over(store).withPropertyValues("millrace.sequences.a.block-size=10");

  private static double gauge(MeterRegistry registry, String name, String sequence) {
    return registry.get("millrace.sequence." + name).tag("sequence", sequence).gauge().value();
  }

  @Test
  void metersShowEachSequenceAndTemplateBesideARecorderOfTheApplication() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    SequenceMetricsRecorder own = mock(SequenceMetricsRecorder.class);
    inMemory
        .withPropertyValues(
            "millrace.sequences.a.max-value=99", "millrace.templates.orders.create=true")
        .withBean(MeterRegistry.class, () -> registry)
        .withBean(
            SequenceGeneratorBuilderCustomizer.class, () -> (name, builder) -> builder.metrics(own))
        .run(
            context -> {
              SequenceGenerators generators = context.getBean(SequenceGenerators.class);
              assertThat(registry.getMeters()).isEmpty();
              for (String name : List.of("a", "orders/acme", "orders/bee")) {
                generators.get(name).next().block(PATIENCE);
              }
              assertThat(gauge(registry, "buffered", "a")).isEqualTo(9);
              assertThat(gauge(registry, "remaining", "a")).isEqualTo(89);
              assertThat(gauge(registry, "generators", "orders")).isEqualTo(2);
              verify(own, times(3)).opened(any());
              assertThat(sequenceA(context.getBean(GeneratorsHealth.class).health()))
                  .containsEntry("status", "UP")
                  .containsEntry("remaining", 89L);
            });
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> sequenceA(Health health) {
    Object sequences = Objects.requireNonNull(health.getDetails().get("sequences"));
    return Objects.requireNonNull(((Map<String, Map<String, Object>>) sequences).get("a"));
  }

  @Test
  void healthIsUpAndReservesNothingBeforeTheFirstUse() {
    store.startOutage(new IOException("down"));
    inMemory.run(
        context -> {
          Health health = context.getBean(GeneratorsHealth.class).health();
          assertThat(health.getStatus()).isEqualTo(Status.UP);
          assertThat(health.getDetails()).containsKey("sequences");
          assertThat(store.reservations()).isZero();
          assertThat(context.getBean(SequenceGenerators.class).snapshots()).isEmpty();
        });
  }

  @Test
  void healthCanBeSwitchedOff() {
    inMemory
        .withPropertyValues("management.health.millrace.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(GeneratorsHealth.class));
  }

  private static Health of(SequenceGenerators generators) {
    return new GeneratorsHealth(generators).health();
  }

  @Test
  void healthIsOutOfServiceWhileTheBufferIsEmptyAndReservationsFail() {
    VirtualTimeScheduler time = VirtualTimeScheduler.create();
    SequenceGenerators generators =
        SequenceGenerators.builder(store)
            .sequence(
                "a",
                options ->
                    options
                        .blockSize(4)
                        .backoff(Duration.ofSeconds(1), Duration.ofSeconds(1), 0, 2))
            .scheduler(time)
            .build();
    generators.get("a").next().subscribe();
    time.advanceTimeBy(Duration.ofMillis(1));
    store.startOutage(new IOException("down"));
    assertThat(of(generators).getStatus()).as("three are buffered").isEqualTo(Status.UP);

    generators.get("a").next(3).subscribe();
    assertThat(of(generators).getStatus()).as("nobody has asked since").isEqualTo(Status.UP);
    generators.get("a").next().subscribe(value -> {}, failure -> {});
    time.advanceTimeBy(Duration.ofMillis(1));

    Health out = of(generators);
    assertThat(out.getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
    assertThat(sequenceA(out))
        .containsEntry("status", "OUT_OF_SERVICE")
        .containsEntry("buffered", 0L)
        .containsEntry("waiters", 1)
        .containsEntry("lastFailure", "java.io.IOException: down");

    time.advanceTimeBy(Duration.ofMillis(1_500));
    assertThat(of(generators).getStatus())
        .as("those who waited were told, and the next attempt is held back")
        .isEqualTo(Status.OUT_OF_SERVICE);
    time.advanceTimeBy(Duration.ofMinutes(2));
    long reservations = store.reservations();
    assertThat(of(generators).getStatus())
        .as("the next request tries again, and an instance out of service gets none")
        .isEqualTo(Status.UP);
    time.advanceTimeBy(Duration.ofMinutes(2));
    assertThat(store.reservations()).as("a check starts nothing").isEqualTo(reservations);

    store.endOutage();
    generators.get("a").next().subscribe();
    time.advanceTimeBy(Duration.ofMillis(1));
    assertThat(of(generators).getStatus()).isEqualTo(Status.UP);
    assertThat(generators.get("a").snapshot().lastFailure()).isNull();
  }

  @Test
  void permanentFailuresDoNotCountForATemplate() {
    VirtualTimeScheduler time = VirtualTimeScheduler.create();
    SequenceGenerators generators =
        SequenceGenerators.builder(store).template("t", options -> {}).scheduler(time).build();
    store.create("t/one", 1).block(PATIENCE);
    store.create("t/two", 1).block(PATIENCE);
    ask(generators, "t/missing", time);
    ask(generators, "t/one", time);
    Health missing = of(generators);
    assertThat(missing.getStatus()).isEqualTo(Status.UP);
    assertThat(missing.getDetails())
        .containsEntry("templates", Map.of("generators", 1, "outOfService", 0L));

    store.startOutage(new IOException("down"));
    ask(generators, "t/two", time);
    Health half = of(generators);
    assertThat(half.getStatus()).as("one still has values").isEqualTo(Status.UP);
    assertThat(half.getDetails())
        .containsEntry("templates", Map.of("generators", 2, "outOfService", 1L));

    generators.get("t/one").next(1_000).subscribe(value -> {}, failure -> {});
    time.advanceTimeBy(Duration.ofMillis(1));
    Health out = of(generators);
    assertThat(out.getStatus())
        .as("all that have a row are out, and the one without is no exception")
        .isEqualTo(Status.OUT_OF_SERVICE);
    assertThat(out.getDetails())
        .containsEntry("templates", Map.of("generators", 2, "outOfService", 2L));
  }

  private static void ask(SequenceGenerators generators, String name, VirtualTimeScheduler time) {
    generators.get(name).next().subscribe(value -> {}, failure -> {});
    time.advanceTimeBy(Duration.ofMillis(1));
  }
}
