package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.millrace.DelegatingSequenceStore;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.insert.RowWriter;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.millrace.test.InMemorySequenceStore;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Result;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.mock.env.MockEnvironment;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** The work before the application is ready, and when it stops. */
@ExtendWith(OutputCaptureExtension.class)
class StartAndStopTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("a", 1);

  private final ApplicationContextRunner inMemory =
      new ApplicationContextRunner()
          .withConfiguration(Starter.with())
          .withBean(SequenceStore.class, () -> store)
          .withPropertyValues("millrace.sequences.a.block-size=10");

  private static long nextValue(SequenceStore store) {
    return store.state("a").blockOptional(PATIENCE).orElseThrow().nextValue();
  }

  @Test
  void nothingIsReservedBeforeItIsNeeded() {
    inMemory.run(context -> assertThat(nextValue(store)).isEqualTo(1));
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
  void missingRowEndsStartUnlessItIsCreatedLater() {
    ApplicationContextRunner missing =
        inMemory.withPropertyValues("millrace.sequences.b.block-size=10");
    missing.run(
        context ->
            assertThat(context)
                .getFailure()
                .hasRootCauseInstanceOf(SequenceNotFoundException.class)
                .hasStackTraceContaining("sequence 'b' was not found"));
    for (String property :
        List.of("millrace.sequences.b.create=true", "millrace.defaults.create=true")) {
      missing
          .withPropertyValues(property)
          .run(context -> assertThat(context).as(property).hasNotFailed());
    }
    assertThat(store.reservations()).isZero();
  }

  @Test
  void completesStartWhenTheDatabaseAnswers(CapturedOutput output) {
    AtomicInteger attempts = new AtomicInteger();
    SequenceStore away =
        new DelegatingSequenceStore(store) {
          @Override
          public Mono<SequenceState> state(String sequence) {
            return attempts.incrementAndGet() == 1
                ? Mono.error(new IOException("connection refused"))
                : super.state(sequence);
          }
        };
    new ApplicationContextRunner()
        .withConfiguration(Starter.with())
        .withBean(SequenceStore.class, () -> away)
        .withPropertyValues("millrace.sequences.a.warmup=true")
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              await().atMost(PATIENCE).until(() -> nextValue(store) > 1);
            });
    assertThat(output.getOut().lines().filter(line -> line.contains("WARN")))
        .singleElement()
        .asString()
        .endsWith("java.io.IOException: connection refused");
  }

  private static R2dbcSequenceStore storeOfShortNames() {
    R2dbcSequenceStore store =
        R2dbcSequenceStore.builder(ConnectionFactories.get(StartedApplication.h2()))
            .nameLength(1)
            .build();
    store.createTable().block(PATIENCE);
    return store;
  }

  @Test
  void storeOfTheApplicationMayLimitItsNames() {
    new ApplicationContextRunner()
        .withConfiguration(Starter.with())
        .withBean(SequenceStore.class, StartAndStopTest::storeOfShortNames)
        .withPropertyValues("millrace.sequences.a.create=true")
        .run(context -> assertThat(context).hasNotFailed());
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
  private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

  private SequencesLifecycle lifecycle(SequenceGenerators generators, Duration timeout) {
    MillraceProperties properties =
        new Binder().bindOrCreate(MillraceProperties.PREFIX, MillraceProperties.class);
    SequencesLifecycle lifecycle =
        new SequencesLifecycle(
            generators,
            new StartCheck(
                properties,
                new ConfiguredNames(new MockEnvironment()),
                generators,
                store,
                null,
                null),
            beans,
            timeout,
            time);
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
  void disposedWriterCannotBeStartedAgain() {
    RowWriter<?> rows = mock(RowWriter.class);
    when(rows.isDisposed()).thenReturn(true);
    beans.registerSingleton("rows", rows);
    assertThatThrownBy(() -> lifecycle(withBufferedValues(), PATIENCE))
        .hasMessageContaining("cannot be started again");
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
      Connection holder =
          Mono.from(locked.connections().create())
              .cast(Connection.class)
              .blockOptional(PATIENCE)
              .orElseThrow();
      try {
        Mono.from(holder.beginTransaction())
            .thenMany(
                Flux.from(holder.createStatement("UPDATE sequences SET next_value = 2").execute())
                    .flatMap(Result::getRowsUpdated))
            .blockLast(PATIENCE);
        new ApplicationContextRunner()
            .withConfiguration(Starter.with())
            .withBean(ConnectionFactory.class, locked::connections)
            .withPropertyValues(
                "millrace.sequences.a.block-size=10", "millrace.defaults.reservation-timeout=5s")
            .run(context -> assertThat(context).hasNotFailed());
      } finally {
        Mono.from(holder.close()).block(PATIENCE);
      }
      assertThat(output.getOut()).doesNotContain(" WARN ");
    }
  }
}
