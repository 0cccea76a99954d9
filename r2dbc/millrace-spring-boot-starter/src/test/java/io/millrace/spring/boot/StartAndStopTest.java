package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceStore;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.test.InMemorySequenceStore;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.Disposables;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

/** The work before the application is ready, and when it stops. */
@ExtendWith(OutputCaptureExtension.class)
class StartAndStopTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("a", 1);

  private final ApplicationContextRunner inMemory =
      Starter.over(store).withPropertyValues("millrace.sequences.a.block-size=10");

  private static long nextValue(SequenceStore store) {
    return store.state("a").blockOptional(PATIENCE).orElseThrow().nextValue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"millrace.sequences.a.warmup=true", "millrace.defaults.warmup=true"})
  void warmupFillsTheBufferBeforeTheApplicationIsReady(String property) {
    inMemory
        .withPropertyValues(property)
        .run(
            context -> {
              assertThat(context.getBean(SequenceGenerator.class).snapshot().buffered())
                  .isEqualTo(10);
              assertThat(nextValue(store)).isEqualTo(11);
            });
  }

  @Test
  void failedStartReleasesWarmedUpValues() {
    store.create("b", 11).block(PATIENCE);
    store.latency(Duration.ofMillis(20)); // of the release, too, which is waited for
    inMemory
        .withPropertyValues(
            "millrace.sequences.a.warmup=true",
            "millrace.sequences.b.warmup=true",
            "millrace.sequences.b.max-value=10")
        .run(context -> assertThat(context).hasFailed());
    store.latency(Duration.ZERO);
    assertThat(store.reservations()).isPositive();
    assertThat(nextValue(store)).isEqualTo(1);
  }

  @Test
  void closingTheContextWaitsForTheRelease() {
    store.latency(Duration.ofMillis(20));
    inMemory.run(
        context ->
            assertThat(context.getBean(SequenceGenerator.class).next().block(PATIENCE))
                .isEqualTo(1));
    assertThat(store.releases()).isEqualTo(1);
    assertThat(nextValue(store)).isEqualTo(2);
  }

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final AtomicInteger stopped = new AtomicInteger();

  private SequencesLifecycle lifecycle(SequenceGenerators generators, Duration timeout) {
    StartCheck nothing = mock(StartCheck.class);
    when(nothing.run()).thenReturn(Disposables.disposed());
    SequencesLifecycle lifecycle =
        new SequencesLifecycle(
            generators, nothing, new DefaultListableBeanFactory(), timeout, time);
    lifecycle.start();
    return lifecycle;
  }

  private SequenceGenerators withBufferedValues() {
    SequenceGenerators generators =
        SequenceGenerators.builder(store)
            .sequence("a", options -> options.reservationTimeout(Duration.ZERO))
            .scheduler(time)
            .build();
    generators.get("a").warmup().subscribe();
    time.advanceTimeBy(Duration.ofSeconds(1));
    assertThat(generators.get("a").snapshot().buffered()).isPositive();
    return generators;
  }

  @Test
  void hungStoreDelaysShutdownUpToItsTimeout(CapturedOutput output) {
    SequenceGenerators generators = withBufferedValues();
    store.hangNextReleases(1);
    SequencesLifecycle lifecycle = lifecycle(generators, Duration.ofSeconds(5));

    lifecycle.stop(stopped::incrementAndGet);
    time.advanceTimeBy(Duration.ofMillis(4_999));
    assertThat(stopped).hasValue(0);
    assertThat(lifecycle.isRunning()).isTrue();
    time.advanceTimeBy(Duration.ofMillis(1));
    assertThat(stopped).hasValue(1);
    assertThat(lifecycle.isRunning()).isFalse();
    assertThat(output).contains("Not all unused values were released");
  }

  @Test
  void zeroShutdownTimeoutDoesNotWait() {
    SequenceGenerators generators = withBufferedValues();
    store.hangNextReleases(1);
    lifecycle(generators, Duration.ZERO).stop(stopped::incrementAndGet);
    assertThat(stopped).hasValue(1);
    assertThat(store.releases()).isEqualTo(1);
    assertThat(generators.isDisposed()).isTrue();
  }

  @Test
  void stoppedContextSaysThatItCannotBeStartedAgain() {
    inMemory.run(
        context -> {
          ConfigurableApplicationContext source =
              context.getSourceApplicationContext(ConfigurableApplicationContext.class);
          source.stop();
          assertThatThrownBy(source::start).hasStackTraceContaining("cannot be started again");
        });
  }

  @Test
  void pausedContextKeepsItsGenerators() {
    inMemory.run(
        context -> {
          context.getSourceApplicationContext(ConfigurableApplicationContext.class).pause();
          assertThat(context.getBean(SequenceGenerator.class).next().block(PATIENCE)).isEqualTo(1);
        });
  }

  /** On MariaDB an update of a row waits for its lock even if it changes nothing. */
  @Nested
  @DatabaseTest(DatabaseKind.MARIADB)
  class OnMariaDb {

    @Test
    void checkDoesNotWaitForALockedCounter(R2dbcDatabase locked, CapturedOutput output) {
      locked.execute(
          "CREATE TABLE sequences (name VARCHAR(64) PRIMARY KEY, next_value BIGINT NOT NULL)",
          "INSERT INTO sequences VALUES ('a', 1)");
      DatabaseClient.create(locked.connections())
          .sql("UPDATE sequences SET next_value = 2")
          .fetch()
          .rowsUpdated()
          .publishOn(Schedulers.boundedElastic())
          .doOnNext(updated -> start(locked))
          .as(
              TransactionalOperator.create(new R2dbcTransactionManager(locked.connections()))
                  ::transactional)
          .block(PATIENCE);
      assertThat(output.getOut()).doesNotContain(" WARN ");
    }

    private static void start(R2dbcDatabase database) {
      Starter.bare()
          .withBean(ConnectionFactory.class, database::connections)
          .withPropertyValues(
              "millrace.sequences.a.block-size=10", "millrace.defaults.reservation-timeout=5s")
          .run(context -> assertThat(context).hasNotFailed());
    }
  }
}
