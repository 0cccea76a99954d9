package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceStore;
import io.millrace.test.InMemorySequenceStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The number of series does not grow with the number of tenants. */
class MetersOfTenantsTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int TENANTS = 1_500;
  private static final int GENERATORS = 100;
  private static final int FAILED = TENANTS / 10;

  private final InMemorySequenceStore store = InMemorySequenceStore.create();

  private final ApplicationContextRunner application =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  MetricsAutoConfiguration.class,
                  SimpleMetricsExportAutoConfiguration.class,
                  CompositeMeterRegistryAutoConfiguration.class,
                  MillraceAutoConfiguration.class))
          .withPropertyValues(
              "millrace.max-generators=" + GENERATORS,
              "millrace.templates.tickets.pattern=tickets/{tenant}",
              "millrace.templates.tickets.create=true",
              "millrace.templates.tickets.block-size=3",
              "millrace.templates.tickets.backoff.min=1ms",
              "millrace.templates.tickets.backoff.max=1ms")
          .withBean(SequenceStore.class, () -> store);

  /**
   * Each tenant takes a value. One attempt in ten fails first. Another process reserves for every
   * second tenant, so that the values that its generator gives back later are a gap.
   */
  private void use(SequenceGenerators generators) {
    for (int tenant = 0; tenant < TENANTS; tenant++) {
      String name = "tickets/" + tenant;
      if (tenant % 10 == 0) {
        store.failNextReservations(1, new IOException("reset"));
      }
      assertThat(generators.get(name).next().block(PATIENCE)).isEqualTo(1);
      if (tenant % 2 == 0) {
        store.reserve(name, 1).block(PATIENCE);
      }
    }
    await().atMost(PATIENCE).until(() -> store.releases() >= TENANTS - GENERATORS);
    assertThat(generators.snapshots()).hasSizeLessThanOrEqualTo(GENERATORS);
  }

  private static List<Meter> meters(MeterRegistry registry) {
    return registry.getMeters().stream()
        .filter(meter -> meter.getId().getName().startsWith("millrace."))
        .toList();
  }

  @Test
  void theTenantsOfATemplateShareOneTagAndAReservationIsTimedOnce() {
    application.run(
        context -> {
          use(context.getBean(SequenceGenerators.class));
          MeterRegistry registry = context.getBean(MeterRegistry.class);
          assertThat(meters(registry))
              .as("15, and a timer for each of two outcomes")
              .hasSize(17)
              .allSatisfy(
                  meter ->
                      assertThat(meter.getId().getTag("sequence")).isEqualTo("tickets/{tenant}"));
          assertThat(
                  registry.find("millrace.sequence.reservation").timers().stream()
                      .mapToLong(Timer::count))
              .containsExactlyInAnyOrder((long) TENANTS, (long) FAILED);
        });
  }
}
