package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.observation.ObservationRegistry;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceMetricsRecorder;
import io.millrace.SequenceStore;
import io.millrace.micrometer.ObservedSequenceStore;
import io.millrace.test.InMemorySequenceStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The number of series does not grow with the number of tenants. */
class MetersOfTenantsTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int TENANTS = 1_500;
  private static final int GENERATORS = 100;
  private static final int FAILED = TENANTS / 10;

  private final InMemorySequenceStore store = InMemorySequenceStore.create();

  private final ApplicationContextRunner withoutStore =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  MetricsAutoConfiguration.class,
                  SimpleMetricsExportAutoConfiguration.class,
                  CompositeMeterRegistryAutoConfiguration.class,
                  ObservationAutoConfiguration.class,
                  MillraceAutoConfiguration.class))
          .withPropertyValues(
              "millrace.max-generators=" + GENERATORS,
              "millrace.templates.tickets.pattern=tickets/{tenant}",
              "millrace.templates.tickets.create=true",
              "millrace.templates.tickets.batch-size=3",
              "millrace.templates.tickets.backoff.min=1ms",
              "millrace.templates.tickets.backoff.max=1ms");

  private final ApplicationContextRunner application =
      withoutStore.withBean(SequenceStore.class, () -> store);

  @Configuration(proxyBeanMethods = false)
  static class OwnObservedStore {

    @Bean
    SequenceStore ownStore(ObservationRegistry registry) {
      return ObservedSequenceStore.of(InMemorySequenceStore.create(), registry);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnGenerators {

    @Bean
    SequenceGenerators ownGenerators(ObservationRegistry registry) {
      return SequenceGenerators.builder(
              ObservedSequenceStore.of(InMemorySequenceStore.create(), registry))
          .sequence("own", options -> options.createMissing(1).batchSize(10))
          .build();
    }
  }

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
              .as("16, and a timer for each of two outcomes")
              .hasSize(18)
              .allSatisfy(
                  meter ->
                      assertThat(meter.getId().getTag("sequence")).isEqualTo("tickets/{tenant}"));
          assertThat(
                  registry.find("millrace.sequence.reservation").timers().stream()
                      .mapToLong(Timer::count))
              .containsExactlyInAnyOrder((long) TENANTS, (long) FAILED);
        });
  }

  @Test
  void withARecorderOfTheApplicationTheTimersOfTheObservationsShareOneTagToo() {
    application
        .withBean(SequenceMetricsRecorder.class, () -> SequenceMetricsRecorder.NONE)
        .run(
            context -> {
              use(context.getBean(SequenceGenerators.class));
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              assertThat(meters(registry))
                  .allSatisfy(
                      meter ->
                          assertThat(meter.getId().getTag("sequence"))
                              .isEqualTo("tickets/{tenant}"))
                  .extracting(
                      meter ->
                          meter.getId().getTag("operation") + " " + meter.getId().getTag("outcome"))
                  .containsExactlyInAnyOrder(
                      "reserve none",
                      "reserve success",
                      "reserve error",
                      "release none",
                      "release success",
                      "release gap");
            });
  }

  private static List<String> timersOfObservations(MeterRegistry registry) {
    return registry.find("millrace.reservation").timers().stream()
        .map(timer -> timer.getId().getTag("sequence") + " " + timer.count())
        .toList();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anObservedStoreOfTheApplicationIsObservedOnceAndSharesTheTags(boolean ownRecorder) {
    ApplicationContextRunner observed =
        withoutStore
            .withUserConfiguration(OwnObservedStore.class)
            .withPropertyValues(
                "millrace.sequences.invoices.row=INVOICE",
                "millrace.sequences.invoices.create=true",
                "millrace.sequences.invoices.batch-size=3");
    (ownRecorder
            ? observed.withBean(SequenceMetricsRecorder.class, () -> SequenceMetricsRecorder.NONE)
            : observed)
        .run(
            context -> {
              SequenceGenerators generators = context.getBean(SequenceGenerators.class);
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              for (String name : List.of("invoices", "tickets/1", "tickets/2")) {
                assertThat(generators.get(name).next().block(PATIENCE)).isEqualTo(1);
              }
              if (ownRecorder) {
                assertThat(timersOfObservations(registry))
                    .containsExactlyInAnyOrder("invoices 1", "tickets/{tenant} 2");
              } else {
                assertThat(timersOfObservations(registry)).isEmpty();
                assertThat(registry.find("millrace.sequence.reservation").timers())
                    .extracting(timer -> timer.getId().getTag("sequence"), Timer::count)
                    .containsExactlyInAnyOrder(
                        tuple("invoices", 1L), tuple("tickets/{tenant}", 2L));
              }
            });
  }

  @Test
  void generatorsOfTheApplicationAreTimedByTheirObservations() {
    application
        .withUserConfiguration(OwnGenerators.class)
        .run(
            context -> {
              SequenceGenerators generators = context.getBean(SequenceGenerators.class);
              assertThat(generators.get("own").next().block(PATIENCE)).isEqualTo(1);
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              assertThat(timersOfObservations(registry)).containsExactly("own 1");
            });
  }
}
