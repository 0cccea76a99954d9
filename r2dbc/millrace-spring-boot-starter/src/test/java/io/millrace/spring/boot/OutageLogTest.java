package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceNotFoundException;
import io.millrace.test.InMemorySequenceStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** An outage is a line when it begins and a line when it ends. */
class OutageLogTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Logger logger = (Logger) LoggerFactory.getLogger("io.millrace");
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("a", 1);

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

  private static void fail(OutageLog log, String sequence) {
    log.reservationFailed(sequence, 1, new IOException("down"));
  }

  @Test
  void logsWhenReservationsBeginToFailAndWhenTheySucceedAgain() {
    OutageLog log = new OutageLog(null);
    log.reserved("a", 10, 1);
    fail(log, "a");
    fail(log, "a");
    log.reserved("a", 10, 1);
    log.reserved("a", 10, 1);
    fail(log, "a");
    assertThat(lines())
        .containsExactly(
            "WARN Reservations of sequence 'a' fail: java.io.IOException: down",
            "INFO Reservations of sequence 'a' succeed again",
            "WARN Reservations of sequence 'a' fail: java.io.IOException: down");
  }

  @Test
  void sequencesOfATemplateLogTogether() {
    OutageLog log = new OutageLog("orders");
    fail(log, "orders/0");
    fail(log, "orders/1");
    log.reserved("orders/0", 10, 1);
    assertThat(lines())
        .containsExactly(
            "WARN Reservations of template 'orders' ('orders/0') fail: java.io.IOException: down");
    log.reserved("orders/1", 10, 1);
    assertThat(lines())
        .hasSize(2)
        .last()
        .isEqualTo("INFO Reservations of template 'orders' ('orders/1') succeed again");
  }

  @Test
  void forgetsEvictedSequenceOfATemplate() {
    OutageLog log = new OutageLog("orders");
    fail(log, "orders/a");
    log.closed(SequenceGenerator.builder(InMemorySequenceStore.create(), "orders/a").build());
    fail(log, "orders/b");
    assertThat(lines()).hasSize(2).allMatch(line -> line.startsWith("WARN"));
  }

  @Test
  void missingRowOfATemplateIsNoOutage() {
    Starter.over(store)
        .withPropertyValues(
            "millrace.sequences.a.create=true", "millrace.templates.orders.create=false")
        .run(
            context -> {
              SequenceGenerators generators = context.getBean(SequenceGenerators.class);
              assertThatThrownBy(() -> generators.get("orders/unknown").next().block(PATIENCE))
                  .isInstanceOf(SequenceNotFoundException.class);
              store.failNextReservations(1, new IOException("down"));
              assertThat(generators.get("a").next().block(PATIENCE)).isEqualTo(1);
              await().atMost(PATIENCE).until(() -> lines().size() == 2);
              assertThat(lines()).allMatch(line -> line.contains("sequence 'a'"));
            });
  }
}
