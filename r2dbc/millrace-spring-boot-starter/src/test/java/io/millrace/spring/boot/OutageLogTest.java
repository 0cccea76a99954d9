package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceStore;
import io.millrace.spring.SequenceGeneratorBuilderCustomizer;
import io.millrace.test.InMemorySequenceStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** An outage is a line when it begins and a line when it ends. */
class OutageLogTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Logger logger = (Logger) LoggerFactory.getLogger("io.millrace");
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("a", 1);
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(Starter.with())
          .withBean(SequenceStore.class, () -> store)
          .withBean(MeterRegistry.class, () -> meters)
          .withBean(
              SequenceGeneratorBuilderCustomizer.class,
              () ->
                  (name, builder) ->
                      builder.backoff(Duration.ofMillis(1), Duration.ofMillis(1), 0, 2))
          .withPropertyValues("millrace.defaults.block-size=2");

  @BeforeEach
  void listen() {
    logger.setLevel(Level.INFO);
    lines.start();
    logger.addAppender(lines);
  }

  @AfterEach
  void stopListening() {
    logger.detachAppender(lines);
    logger.setLevel(null);
  }

  private List<String> lines() {
    return List.copyOf(lines.list).stream()
        .filter(line -> line.getLoggerName().endsWith("OutageLog"))
        .map(line -> line.getLevel() + " " + line.getFormattedMessage())
        .toList();
  }

  private static void fail(SequenceGenerators generators, String name, int times) {
    for (int i = 0; i < times; i++) {
      assertThatThrownBy(() -> generators.get(name).next().block(PATIENCE)).isNotNull();
    }
  }

  private static void take(SequenceGenerators generators, String name, int times) {
    for (int i = 0; i < times; i++) {
      await()
          .atMost(PATIENCE)
          .ignoreExceptions()
          .until(() -> generators.get(name).next().block(PATIENCE) != null);
    }
  }

  @Test
  void logsWhenReservationsBeginToFailAndWhenTheySucceedAgain() {
    runner
        .withPropertyValues("millrace.sequences.a.create=false")
        .run(
            context -> {
              SequenceGenerators generators = context.getBean(SequenceGenerators.class);
              take(generators, "a", 2);
              assertThat(lines()).isEmpty();

              store.startOutage(new IOException("connection reset"));
              fail(generators, "a", 5);
              assertThat(lines())
                  .containsExactly(
                      "WARN Reservations of sequence 'a' fail: java.io.IOException: connection"
                          + " reset");

              store.endOutage();
              take(generators, "a", 6);
              assertThat(lines())
                  .hasSize(2)
                  .last()
                  .isEqualTo("INFO Reservations of sequence 'a' succeed again");

              store.startOutage(new IOException("again"));
              fail(generators, "a", 2);
              assertThat(lines()).hasSize(3);
              assertThat(
                      meters
                          .get("millrace.sequence.reservation")
                          .tag("outcome", "error")
                          .timer()
                          .count())
                  .as("the meters are kept beside it")
                  .isGreaterThan(5);
            });
  }

  @Test
  void sequencesOfATemplateLogTogether() {
    runner
        .withPropertyValues("millrace.templates.orders.create=true")
        .run(
            context -> {
              SequenceGenerators generators = context.getBean(SequenceGenerators.class);
              store.startOutage(new IOException("down"));
              for (int i = 0; i < 4; i++) {
                fail(generators, "orders/" + i, 2);
              }
              assertThat(lines())
                  .containsExactly(
                      "WARN Reservations of template 'orders' ('orders/0') fail:"
                          + " java.io.IOException: down");

              store.endOutage();
              for (int i = 0; i < 4; i++) {
                assertThat(lines()).hasSize(1);
                take(generators, "orders/" + i, 3);
              }
              assertThat(lines())
                  .hasSize(2)
                  .last()
                  .isEqualTo("INFO Reservations of template 'orders' ('orders/3') succeed again");
            });
  }

  @Test
  void missingRowIsNoOutageOfATemplate() {
    runner
        .withPropertyValues("millrace.templates.orders.create=false")
        .run(
            context -> {
              fail(context.getBean(SequenceGenerators.class), "orders/unknown", 5);
              assertThat(lines()).isEmpty();
            });
  }

  @Test
  void forgetsEvictedSequence() {
    OutageLog log = new OutageLog("orders");
    SequenceGenerators generators =
        SequenceGenerators.builder(store)
            .template(
                "orders",
                options ->
                    options
                        .createMissing(1)
                        .backoff(Duration.ofMillis(1), Duration.ofMillis(1), 0, 1)
                        .metrics(log))
            .idleAfter(Duration.ofMillis(50))
            .build();
    store.startOutage(new IOException("down"));
    fail(generators, "orders/a", 1);
    await().atMost(PATIENCE).until(() -> generators.snapshots().isEmpty());
    fail(generators, "orders/b", 1);
    assertThat(lines()).hasSize(2).allMatch(line -> line.startsWith("WARN"));
    generators.dispose();
  }
}
