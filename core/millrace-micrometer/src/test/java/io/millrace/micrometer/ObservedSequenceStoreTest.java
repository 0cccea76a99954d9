package io.millrace.micrometer;

import static io.micrometer.observation.tck.TestObservationRegistryAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.GlobalObservationConvention;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.millrace.DelegatingSequenceStore;
import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceStore;
import io.millrace.SequenceStoreException;
import io.millrace.test.InMemorySequenceStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;
import reactor.test.scheduler.VirtualTimeScheduler;

/** What an observation of a request says, when it ends, and what it must not break. */
@Timeout(60)
class ObservedSequenceStoreTest {

  private static final String NAME = "millrace.reservation";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final TestObservationRegistry registry = TestObservationRegistry.create();
  private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("s", 1);
  private final SequenceStore observed = ObservedSequenceStore.of(store, registry);

  private void assertOnly(String operation, String outcome) {
    assertThat(registry)
        .hasNumberOfObservationsEqualTo(1)
        .hasObservationWithNameEqualTo(NAME)
        .that()
        .hasBeenStarted()
        .hasBeenStopped()
        .hasContextualNameEqualTo(operation + " s")
        .hasLowCardinalityKeyValue("sequence", "s")
        .hasHighCardinalityKeyValue("sequence.name", "s")
        .hasLowCardinalityKeyValue("operation", operation)
        .hasLowCardinalityKeyValue("outcome", outcome)
        .hasKeyValuesCount(5)
        .doesNotHaveParentObservation();
  }

  @Test
  void aReservationIsObservedForEachSubscription() {
    Mono<SequenceBlock> reservation = observed.reserve("s", 5);
    assertThat(registry).doesNotHaveAnyObservation();
    StepVerifier.create(reservation).expectNext(SequenceBlock.of(1, 5)).verifyComplete();
    assertOnly("reserve", "success");
    assertThat(registry)
        .hasSingleObservationThat()
        .hasHighCardinalityKeyValue("values", "5")
        .doesNotHaveError();
    StepVerifier.create(reservation).expectNext(SequenceBlock.of(6, 5)).verifyComplete();
    assertThat(registry).hasNumberOfObservationsWithNameEqualTo(NAME, 2);
  }

  @Test
  void aReservationThatFailsHasItsError() {
    IOException failure = new IOException("connection reset");
    store.failNextReservations(1, failure);
    StepVerifier.create(observed.reserve("s", 5)).verifyErrorMatches(failure::equals);
    assertOnly("reserve", "error");
    assertThat(registry).hasSingleObservationThat().hasError(failure);
  }

  @Test
  void aSequenceThatIsMissingIsNamedSo() {
    SequenceStore empty = ObservedSequenceStore.of(InMemorySequenceStore.create(), registry);
    StepVerifier.create(empty.reserve("s", 5)).verifyError(SequenceNotFoundException.class);
    assertOnly("reserve", "not_found");
  }

  @Test
  void aStoreThatThrowsOrAnswersNothingIsObservedToo() {
    IllegalStateException failure = new IllegalStateException("on purpose");
    SequenceStore throwing =
        new DelegatingSequenceStore(store) {
          @Override
          public Mono<SequenceBlock> reserve(ReservationRequest request) {
            throw failure;
          }
        };
    StepVerifier.create(ObservedSequenceStore.of(throwing, registry).reserve("s", 5))
        .verifyErrorMatches(failure::equals);
    assertOnly("reserve", "error");
    registry.clear();
    SequenceStore empty =
        new DelegatingSequenceStore(store) {
          @Override
          public Mono<SequenceBlock> reserve(ReservationRequest request) {
            return Mono.empty();
          }
        };
    StepVerifier.create(ObservedSequenceStore.of(empty, registry).reserve("s", 5)).verifyComplete();
    assertOnly("reserve", "refused");
  }

  @Test
  void aReservationWhoseAskerLeavesEndsItsObservation() {
    store.hangNextReservations(1);
    StepVerifier.create(observed.reserve("s", 5)).thenCancel().verify();
    assertOnly("reserve", "timeout");
    assertThat(registry).hasSingleObservationThat().doesNotHaveError();
  }

  @Test
  void aReservationThatTimesOutIsNamedSo() {
    VirtualTimeScheduler time = VirtualTimeScheduler.create();
    store.hangNextReservations(1);
    SequenceGenerator generator =
        SequenceGenerator.builder(observed, "s")
            .scheduler(time)
            .reservationTimeout(Duration.ofSeconds(1))
            .build();
    generator.next().subscribe(value -> {}, error -> {});
    time.advanceTime();
    assertThat(registry).hasSingleObservationThat().hasBeenStarted().isNotStopped();
    time.advanceTimeBy(Duration.ofSeconds(1));
    assertOnly("reserve", "timeout");
  }

  @Test
  void aReservationInFlightHasNoOutcomeYet() {
    SimpleMeterRegistry meters = metered();
    store.hangNextReservations(1);
    Disposable reservation = observed.reserve("s", 5).subscribe();

    LongTaskTimer active = meters.get(NAME + ".active").longTaskTimer();
    assertThat(active.activeTasks()).isEqualTo(1);
    assertThat(active.getId().getTag("outcome")).isEqualTo("none");

    reservation.dispose();
    assertThat(meters.find(NAME + ".active").longTaskTimers())
        .allSatisfy(timer -> assertThat(timer.activeTasks()).isZero());
    assertThat(meters.get(NAME).timer().getId().getTag("outcome")).isEqualTo("timeout");
  }

  @Test
  void aSequenceThatIsCreatedWhenMissingIsOneReservationThatSucceeds() {
    SequenceStore empty = ObservedSequenceStore.of(InMemorySequenceStore.create(), registry);
    SequenceGenerator generator =
        SequenceGenerator.builder(empty, "s").createMissing(7).blockSize(5).build();

    assertThat(generator.next().block(PATIENCE)).isEqualTo(7);
    assertOnly("reserve", "success");
    assertThat(registry).hasSingleObservationThat().doesNotHaveError();
  }

  @Test
  void aRowThatVanishesLaterIsStillAnError() {
    SequenceGenerator generator =
        SequenceGenerator.builder(observed, "s").createMissing(7).blockSize(1).build();
    generator.next().block(PATIENCE);
    registry.clear();

    store.failNextReservations(1, new SequenceNotFoundException("s", "memory", "create", null));
    StepVerifier.create(generator.next())
        .expectError(SequenceNotFoundException.class)
        .verify(PATIENCE);
    assertOnly("reserve", "not_found");
  }

  /** The recorder's timer and the observation's count the same, outcome by outcome. */
  @Test
  void bothTimersOfReservationsAgree() {
    SimpleMeterRegistry meters = metered();
    VirtualTimeScheduler time = VirtualTimeScheduler.create();
    InMemorySequenceStore counters = InMemorySequenceStore.create();
    SequenceGenerator generator =
        SequenceGenerator.builder(ObservedSequenceStore.of(counters, registry), "s")
            .createMissing(1)
            .blockSize(2)
            .scheduler(time)
            .reservationTimeout(Duration.ofSeconds(1))
            .backoff(Duration.ofSeconds(1), Duration.ofSeconds(1), 0, 1)
            .metrics(MicrometerRecorder.of(meters))
            .build();
    counters.hangNextReservations(1);
    for (@Nullable Throwable failure :
        new @Nullable Throwable[] {
          null,
          null,
          new IOException("reset"),
          new SequenceNotFoundException("s", "memory", "create", null),
          new SequenceExhaustedException("s", 1, 1, 1),
          new SequenceStoreException("s", "refused", null)
        }) {
      if (failure != null) {
        counters.failNextReservations(1, failure);
      }
      generator.next(3).subscribe(values -> {}, error -> {});
      time.advanceTimeBy(Duration.ofMinutes(1));
    }

    Map<String, Long> recorded = countsByOutcome(meters, "millrace.sequence.reservation");
    assertThat(recorded)
        .containsOnlyKeys("timeout", "success", "error", "not_found", "exhausted", "refused");
    assertThat(countsByOutcome(meters, NAME)).isEqualTo(recorded);
  }

  private SimpleMeterRegistry metered() {
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
    return meters;
  }

  private static Map<String, Long> countsByOutcome(SimpleMeterRegistry meters, String name) {
    return meters.get(name).timers().stream()
        .collect(
            Collectors.toMap(
                timer -> String.valueOf(timer.getId().getTag("outcome")), Timer::count));
  }

  @Test
  void theFirstOutcomeCounts() {
    TestPublisher<SequenceBlock> answers =
        TestPublisher.createNoncompliant(TestPublisher.Violation.CLEANUP_ON_TERMINATE);
    SequenceStore held =
        new DelegatingSequenceStore(store) {
          @Override
          public Mono<SequenceBlock> reserve(ReservationRequest request) {
            return Mono.fromDirect(answers);
          }
        };
    StepVerifier.create(ObservedSequenceStore.of(held, registry).reserve("s", 1))
        .thenCancel()
        .verify();
    answers.assertCancelled();
    answers.emit(SequenceBlock.of(1, 1));
    assertOnly("reserve", "timeout");
  }

  @Test
  void aReleaseIsObserved() {
    SequenceBlock block = SequenceBlock.of(1, 5);
    StepVerifier.create(store.reserve("s", 5)).expectNext(block).verifyComplete();
    StepVerifier.create(observed.release("s", block)).expectNext(true).verifyComplete();
    assertOnly("release", "success");
    assertThat(registry).hasSingleObservationThat().hasHighCardinalityKeyValue("values", "5");
    registry.clear();
    StepVerifier.create(observed.release("s", block)).expectNext(false).verifyComplete();
    assertOnly("release", "gap");
  }

  @Test
  void theRestOfTheStoreIsPassedOn() {
    StepVerifier.create(observed.create("other", 7)).verifyComplete();
    StepVerifier.create(observed.state("other"))
        .assertNext(state -> assertThat(state.nextValue()).isEqualTo(7))
        .verifyComplete();
    assertThat(registry).doesNotHaveAnyObservation();
    for (boolean promised : List.of(true, false)) {
      SequenceStore promising =
          new DelegatingSequenceStore(store) {
            @Override
            public boolean isOrdered() {
              return promised;
            }

            @Override
            public boolean isReleasable() {
              return !promised;
            }
          };
      SequenceStore passing = ObservedSequenceStore.of(promising, registry);
      assertThat(passing.isOrdered()).isEqualTo(promised);
      assertThat(passing.isReleasable()).isEqualTo(!promised);
      assertThat(passing).hasToString("ObservedSequenceStore[" + promising + "]");
    }
  }

  private static final class Renamed implements SequenceObservationConvention {

    @Override
    public String getName() {
      return "ids.block";
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(SequenceObservationContext context) {
      return KeyValues.of(KeyValue.of("ids.table", context.sequence().split("/", 2)[0]));
    }
  }

  @Test
  void namesMayBeReplacedForOneStore() {
    SequenceStore renamed = ObservedSequenceStore.of(store, registry, new Renamed());
    StepVerifier.create(renamed.reserve("s", 5)).expectNextCount(1).verifyComplete();
    assertThat(registry)
        .hasSingleObservationThat()
        .hasNameEqualTo("ids.block")
        .hasLowCardinalityKeyValue("ids.table", "s")
        .hasHighCardinalityKeyValue("values", "5")
        .hasKeyValuesCount(3);
  }

  @Test
  void sequencesThatShareATagShareItsTimersAndKeepTheirNamesInTraces() {
    SimpleMeterRegistry meters = metered();
    SequenceStore shared = ObservedSequenceStore.of(store, registry).taggedBy(name -> "t/{x}");
    for (int tenant = 0; tenant < 1_500; tenant++) {
      ReservationRequest request = new ReservationRequest("t/" + tenant, 3, 1L);
      SequenceBlock block = shared.reserve(request).blockOptional(PATIENCE).orElseThrow();
      shared.release("t/" + tenant, block).block(PATIENCE);
      shared.release("t/" + tenant, SequenceBlock.of(1_000, 1)).block(PATIENCE); // too late
    }
    assertThat(registry)
        .hasAnObservation(
            context ->
                context
                    .hasContextualNameEqualTo("release t/1499")
                    .hasHighCardinalityKeyValue("sequence.name", "t/1499")
                    .hasLowCardinalityKeyValue("outcome", "gap"));
    assertThat(meters.get(NAME).tag("outcome", "gap").timer().count()).isEqualTo(1_500);
    assertThat(meters.getMeters())
        .as("reserve, release, gap, and two that are active")
        .hasSize(5)
        .allSatisfy(meter -> assertThat(meter.getId().getTag("sequence")).isEqualTo("t/{x}"));
  }

  @Test
  void aTagThatCannotBeMadeHarmsNobody() {
    SequenceStore throwing =
        ObservedSequenceStore.of(store, registry)
            .taggedBy(
                name -> {
                  throw new IllegalStateException("on purpose");
                });
    StepVerifier.create(throwing.reserve("s", 5))
        .expectNext(SequenceBlock.of(1, 5))
        .verifyComplete();
  }

  @Test
  void namesMayBeReplacedForAWholeRegistry() {
    registry
        .observationConfig()
        .observationConvention(
            new GlobalObservationConvention<SequenceObservationContext>() {
              @Override
              public boolean supportsContext(Observation.Context context) {
                return context instanceof SequenceObservationContext;
              }

              @Override
              public String getName() {
                return "global";
              }
            });
    StepVerifier.create(observed.reserve("s", 5)).expectNextCount(1).verifyComplete();
    assertThat(registry).hasSingleObservationThat().hasNameEqualTo("global");
  }

  @ParameterizedTest
  @ValueSource(strings = {"onStart", "onError", "onStop", "onScopeOpened", "onScopeClosed"})
  void aHandlerThatThrowsHarmsNobody(String where) {
    Set<String> thrown = new TreeSet<>();
    ObservationRegistry throwing = ObservationRegistry.create();
    throwing
        .observationConfig()
        .observationHandler(
            (ObservationHandler<?>)
                java.lang.reflect.Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {ObservationHandler.class},
                    (proxy, method, arguments) -> {
                      if (method.getName().equals("supportsContext")) {
                        return true;
                      }
                      if (method.getName().equals(where)) {
                        thrown.add(where);
                        throw new AssertionError("on purpose");
                      }
                      return null;
                    }));
    SequenceStore harmed = ObservedSequenceStore.of(store, throwing);
    IOException failure = new IOException("connection reset");
    store.failNextReservations(1, failure);
    StepVerifier.create(harmed.reserve("s", 5)).verifyErrorMatches(failure::equals);
    StepVerifier.create(harmed.reserve("s", 5)).expectNext(SequenceBlock.of(1, 5)).verifyComplete();
    assertThat(thrown).containsExactly(where);
    assertThat(throwing.getCurrentObservationScope()).isNull();
  }

  @Test
  void aConventionThatThrowsHarmsNobody() {
    List<String> thrown = new ArrayList<>();
    SequenceObservationConvention throwing =
        new SequenceObservationConvention() {
          @Override
          public KeyValues getLowCardinalityKeyValues(SequenceObservationContext context) {
            thrown.add(context.outcome());
            throw new IllegalStateException("on purpose");
          }
        };
    StepVerifier.create(ObservedSequenceStore.of(store, registry, throwing).reserve("s", 5))
        .expectNext(SequenceBlock.of(1, 5))
        .verifyComplete();
    assertThat(thrown).isNotEmpty();
  }

  @Test
  void aRegistryThatDoesNothingIsLeftAlone() {
    StepVerifier.create(ObservedSequenceStore.of(store, ObservationRegistry.NOOP).reserve("s", 5))
        .expectNext(SequenceBlock.of(1, 5))
        .verifyComplete();
  }
}
