package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.DelegatingSequenceStore;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.spring.SequenceGeneratorBuilderCustomizer;
import io.millrace.test.InMemorySequenceStore;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.server.context.WebServerGracefulShutdownLifecycle;
import org.springframework.context.ConfigurableApplicationContext;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** What happens before the application is ready, and when it ends. */
@ExtendWith(OutputCaptureExtension.class)
class StartAndStopTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("a", 1);

  private final ApplicationContextRunner inMemory =
      new ApplicationContextRunner()
          .withConfiguration(AutoConfigurations.of(MillraceAutoConfiguration.class))
          .withBean(SequenceStore.class, () -> store)
          .withPropertyValues("millrace.sequences.a.block-size=10");

  private final ApplicationContextRunner onH2 =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(MillraceAutoConfiguration.class, R2dbcAutoConfiguration.class))
          .withPropertyValues(
              "spring.r2dbc.generate-unique-name=true",
              "millrace.create-table=true",
              "millrace.sequences.a.create=true",
              "millrace.sequences.a.block-size=10");

  private static long nextValue(SequenceStore store) {
    return store.state("a").blockOptional(PATIENCE).orElseThrow().nextValue();
  }

  @Test
  void nothingIsReservedBeforeItIsNeeded() {
    inMemory.run(context -> assertThat(nextValue(store)).isEqualTo(1));
  }

  @Test
  void aWarmUpFillsTheBufferBeforeTheApplicationIsReady() {
    inMemory
        .withPropertyValues("millrace.sequences.a.warmup=true")
        .run(
            context -> {
              assertThat(context.getBean(SequenceGenerator.class).snapshot().buffered())
                  .isEqualTo(10);
              assertThat(nextValue(store)).isEqualTo(11);
            });
  }

  @Test
  void tableAndRowAreCreatedAtStart() {
    onH2.withPropertyValues("millrace.sequences.a.warmup=true")
        .run(context -> assertThat(nextValue(context.getBean(SequenceStore.class))).isEqualTo(11));
  }

  @Test
  void aWarmUpThatFailsEndsTheStart() {
    inMemory
        .withPropertyValues("millrace.sequences.b.warmup=true")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .hasRootCauseInstanceOf(SequenceNotFoundException.class)
                    .hasStackTraceContaining("sequence 'b' cannot be warmed up"));
  }

  @Test
  void aStartThatFailedGivesBackWhatWasWarmedUp() {
    store.latency(Duration.ofMillis(20)); // of the give-back, too, which is waited for
    inMemory
        .withPropertyValues("millrace.sequences.a.warmup=true", "millrace.sequences.b.warmup=true")
        .run(context -> assertThat(context).hasFailed());
    store.latency(Duration.ZERO);
    assertThat(store.reservations()).isPositive();
    assertThat(nextValue(store)).isEqualTo(1);
  }

  @Test
  void aWarmUpThatFailsMayBeAWarning() {
    inMemory
        .withPropertyValues(
            "millrace.sequences.a.warmup=true",
            "millrace.sequences.b.warmup=true",
            "millrace.startup.on-failure=warn")
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(context.getBean("a", SequenceGenerator.class).snapshot().buffered())
                  .isEqualTo(10);
            });
  }

  @Test
  void aWarmUpThatHangsEndsWithTheStartsTime() {
    store.hangNextReservations(1);
    inMemory
        .withPropertyValues(
            "millrace.sequences.a.warmup=true",
            "millrace.sequences.a.reservation-timeout=0",
            "millrace.startup.timeout=100ms",
            "millrace.shutdown-timeout=100ms")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .hasStackTraceContaining("millrace.startup.timeout PT0.1S"));
  }

  @Test
  void aMissingRowEndsTheStartUnlessItIsCreatedLaterOrNobodyLooks() {
    ApplicationContextRunner missing =
        inMemory.withPropertyValues("millrace.sequences.b.block-size=10");
    missing.run(
        context ->
            assertThat(context)
                .getFailure()
                .hasRootCauseInstanceOf(SequenceNotFoundException.class)
                .hasStackTraceContaining("sequence 'b' cannot be used"));
    for (String property :
        List.of(
            "millrace.startup.check=false",
            "millrace.startup.on-failure=warn",
            "millrace.sequences.b.create=true",
            "millrace.defaults.create=true",
            "millrace.sequences.b.row=a")) {
      missing
          .withPropertyValues(property)
          .run(context -> assertThat(context).as(property).hasNotFailed());
    }
    assertThat(store.reservations()).isZero();
  }

  @Test
  void aCustomizerMayCreateTheRow() {
    inMemory
        .withPropertyValues("millrace.sequences.b.block-size=10")
        .withBean(
            SequenceGeneratorBuilderCustomizer.class,
            () -> (name, builder) -> builder.createMissing(5))
        .run(
            context ->
                assertThat(context.getBean("b", SequenceGenerator.class).next().block(PATIENCE))
                    .isEqualTo(5));
  }

  @Test
  void aStoreThatFailsOrHangsDoesNotEndAStartThatAsksNothingOfIt(CapturedOutput output) {
    SequenceStore failing =
        new DelegatingSequenceStore(store) {
          @Override
          public Mono<SequenceState> state(String sequence) {
            return Mono.error(new IOException("connection refused"));
          }
        };
    SequenceStore hanging =
        new DelegatingSequenceStore(store) {
          @Override
          public Mono<SequenceState> state(String sequence) {
            return Mono.never();
          }
        };
    for (SequenceStore unusable : List.of(failing, hanging)) {
      new ApplicationContextRunner()
          .withConfiguration(AutoConfigurations.of(MillraceAutoConfiguration.class))
          .withBean(SequenceStore.class, () -> unusable)
          .withPropertyValues(
              "millrace.sequences.a.block-size=10",
              "millrace.sequences.b.block-size=10",
              "millrace.startup.timeout=" + (unusable == hanging ? "100ms" : "30s"))
          .run(context -> assertThat(context).hasNotFailed());
    }
    assertThat(output.getOut().lines().filter(line -> line.contains("WARN")))
        .hasSize(2)
        .anySatisfy(line -> assertThat(line).endsWith("java.io.IOException: connection refused"))
        .anySatisfy(line -> assertThat(line).contains("did not answer within "));
  }

  @Test
  void aDatabaseThatIsAwayDoesNotEndAStartThatAsksNothingOfIt() throws IOException {
    int closed;
    try (ServerSocket socket = new ServerSocket(0)) {
      closed = socket.getLocalPort();
    }
    new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(MillraceAutoConfiguration.class, R2dbcAutoConfiguration.class))
        .withPropertyValues(
            "spring.r2dbc.url=r2dbc:postgresql://me:secret@localhost:" + closed + "/shop",
            "millrace.sequences.a.block-size=10",
            "millrace.gapless.c.row=C")
        .run(context -> assertThat(context).hasNotFailed());
  }

  @Test
  void closingTheContextWaitsForTheGiveBack() {
    store.latency(Duration.ofMillis(20));
    inMemory.run(
        context ->
            assertThat(context.getBean(SequenceGenerator.class).next().block(PATIENCE))
                .isEqualTo(1));
    assertThat(store.releases()).isEqualTo(1);
    assertThat(nextValue(store)).isEqualTo(2);
  }

  private GeneratorsLifecycle lifecycle(
      SequenceGenerators generators, Duration timeout, VirtualTimeScheduler time) {
    MillraceProperties properties = MillracePropertiesTest.unset();
    return new GeneratorsLifecycle(
        generators,
        new StartupWork(
            generators,
            properties,
            store,
            null,
            store::toString,
            new MissingRows(properties, false, false)),
        timeout,
        time);
  }

  @Test
  void aStoreThatHangsHoldsTheShutdownNoLongerThanItsTime() {
    VirtualTimeScheduler time = VirtualTimeScheduler.create();
    SequenceGenerators generators =
        SequenceGenerators.builder(store)
            .sequence("a", options -> options.reservationTimeout(Duration.ZERO))
            .scheduler(time)
            .build();
    generators.get("a").warmup().subscribe();
    time.advanceTimeBy(Duration.ofSeconds(1));
    assertThat(generators.get("a").snapshot().buffered()).isPositive();
    store.hangNextReleases(1);
    AtomicInteger stopped = new AtomicInteger();
    GeneratorsLifecycle lifecycle = lifecycle(generators, Duration.ofSeconds(5), time);
    lifecycle.start();

    lifecycle.stop(stopped::incrementAndGet);
    time.advanceTimeBy(Duration.ofMillis(4_999));
    assertThat(stopped).hasValue(0);
    assertThat(lifecycle.isRunning()).isTrue();
    time.advanceTimeBy(Duration.ofMillis(1));
    assertThat(stopped).hasValue(1);
    assertThat(lifecycle.isRunning()).isFalse();
  }

  @Test
  void aShutdownTimeOfZeroDoesNotWait() {
    VirtualTimeScheduler time = VirtualTimeScheduler.create();
    SequenceGenerators generators =
        SequenceGenerators.builder(store)
            .sequence("a", options -> options.reservationTimeout(Duration.ZERO))
            .scheduler(time)
            .build();
    generators.get("a").warmup().subscribe();
    time.advanceTimeBy(Duration.ofSeconds(1));
    store.hangNextReleases(1);
    AtomicInteger stopped = new AtomicInteger();

    lifecycle(generators, Duration.ZERO, time).stop(stopped::incrementAndGet);

    assertThat(stopped).hasValue(1);
    assertThat(store.releases()).isEqualTo(1);
    assertThat(generators.isDisposed()).isTrue();
  }

  @Test
  void itStopsAfterTheWebServerHasDrainedAndStartsBeforeItListens() {
    int webServer = WebServerGracefulShutdownLifecycle.SMART_LIFECYCLE_PHASE - 1024;
    assertThat(DisposalLifecycle.PHASE).isLessThan(webServer);
  }

  @Test
  void aContextThatIsPausedKeepsItsGenerators() {
    inMemory.run(
        context -> {
          context.getSourceApplicationContext(ConfigurableApplicationContext.class).pause();
          assertThat(context.getBean(SequenceGenerator.class).next().block(PATIENCE)).isEqualTo(1);
        });
  }

  @Test
  void aContextThatWasStoppedSaysThatItCannotBeStartedAgain() {
    inMemory.run(
        context -> {
          context.getSourceApplicationContext(ConfigurableApplicationContext.class).stop();
          assertThatThrownBy(
                  () ->
                      context
                          .getSourceApplicationContext(ConfigurableApplicationContext.class)
                          .start())
              .hasStackTraceContaining("cannot be started again");
        });
  }

  @Test
  void attemptsThatFailAtStartAreRepeated() {
    store.failNextReservations(2, new IOException("connection reset"));
    inMemory
        .withPropertyValues(
            "millrace.sequences.a.warmup=true",
            "millrace.sequences.a.backoff.min=1ms",
            "millrace.sequences.a.backoff.max=2ms")
        .run(context -> assertThat(nextValue(store)).isEqualTo(11));
  }
}
