package io.millrace.micrometer;

import static io.micrometer.observation.tck.TestObservationRegistryAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.observation.Observation;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.test.simple.SimpleCurrentTraceContext;
import io.micrometer.tracing.test.simple.SimpleSpan;
import io.micrometer.tracing.test.simple.SimpleTracer;
import io.millrace.DelegatingSequenceStore;
import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceGenerator;
import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Where a reservation is in a trace: in one of its own, with what the driver does below it,
 * whoever's request set it off. With real spans, with Reactor's automatic context propagation and
 * without, and on threads that carry an observation and threads that do not.
 */
class ReservationTraceTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final SimpleTracer tracer = new RestoringTracer();
  private final TestObservationRegistry registry = TestObservationRegistry.create();

  /** Threads of the generator's timers and reservations, and of the store's answers. */
  private final ExecutorService generatorThread = Executors.newSingleThreadScheduledExecutor();

  private final ExecutorService storeThread = Executors.newSingleThreadScheduledExecutor();
  private final Scheduler answering = Schedulers.fromExecutorService(storeThread);

  /** What is current on the thread where the driver's work begins. */
  private final List<@Nullable Observation> currentInDriver = new ArrayList<>();

  ReservationTraceTest() {
    registry.observationConfig().observationHandler(new DefaultTracingObservationHandler(tracer));
  }

  @AfterEach
  void tidyUp() {
    Hooks.disableAutomaticContextPropagation();
    answering.dispose();
    generatorThread.shutdown();
    storeThread.shutdown();
  }

  /** A tracer for tests that also restores the span before a scope without one, as real ones do. */
  private static final class RestoringTracer extends SimpleTracer {

    @Override
    public SimpleCurrentTraceContext currentTraceContext() {
      return new SimpleCurrentTraceContext(this) {
        @Override
        public Scope maybeScope(@Nullable TraceContext context) {
          TraceContext before = context();
          Scope scope = super.maybeScope(context);
          return context != null || before == null ? scope : () -> super.newScope(before);
        }
      };
    }
  }

  /** A store on a driver that observes what it does, as those do that know Reactor. */
  private ObservedSequenceStore store(boolean synchronous) {
    InMemorySequenceStore memory = InMemorySequenceStore.withSequence("s", 1);
    if (!synchronous) {
      memory.latency(Duration.ofMillis(1), answering);
    }
    return ObservedSequenceStore.of(
        new DelegatingSequenceStore(memory) {
          @Override
          public Mono<SequenceBlock> reserve(ReservationRequest request) {
            return Mono.deferContextual(
                context -> {
                  currentInDriver.add(registry.getCurrentObservation());
                  Observation statement =
                      Observation.createNotStarted("statement", registry)
                          .parentObservation(
                              context.getOrDefault(ObservationThreadLocalAccessor.KEY, null))
                          .start();
                  return super.reserve(request).doOnTerminate(statement::stop);
                });
          }
        },
        registry);
  }

  private SimpleSpan span(String name) {
    return tracer.getSpans().stream()
        .filter(span -> name.equals(span.getName()))
        .reduce(
            (one, other) -> {
              throw new AssertionError("two spans " + name);
            })
        .orElseThrow(() -> new AssertionError("no span " + name + " in " + tracer.getSpans()));
  }

  private @Nullable Observation currentOn(ExecutorService thread) throws Exception {
    Callable<@Nullable Observation> look = registry::getCurrentObservation;
    return thread.submit(look).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  private @Nullable Object spanOn(ExecutorService thread) throws Exception {
    Callable<@Nullable Object> look = tracer::currentSpan;
    return thread.submit(look).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  @ParameterizedTest(name = "automatic {0}, inline {1}, synchronous {2}")
  @CsvSource({
    "false, false, false",
    "false, false, true",
    "false, true, false",
    "false, true, true",
    "true, false, false",
    "true, false, true",
    "true, true, false",
    "true, true, true"
  })
  void aReservationIsNoPartOfTheTraceOfTheSubscriberThatSetItOff(
      boolean automatic, boolean inline, boolean synchronous) throws Exception {
    if (automatic) {
      Hooks.enableAutomaticContextPropagation();
    }
    SequenceGenerator generator =
        SequenceGenerator.builder(store(synchronous), "s")
            .scheduler(
                inline ? Schedulers.immediate() : Schedulers.fromExecutorService(generatorThread))
            .build();
    Observation request = Observation.createNotStarted("request", registry).start();
    AtomicReference<@Nullable Observation> inContext = new AtomicReference<>();
    AtomicReference<@Nullable Observation> onSignal = new AtomicReference<>();
    AtomicReference<@Nullable Object> spanOnSignal = new AtomicReference<>();
    AtomicReference<@Nullable Thread> signalled = new AtomicReference<>();
    Object requestSpan;
    try (Observation.Scope scope = request.openScope()) {
      requestSpan = tracer.currentSpan();
      Mono<Long> subscriber =
          Mono.deferContextual(
                  context -> {
                    inContext.set(context.get(ObservationThreadLocalAccessor.KEY));
                    return generator.next();
                  })
              .doOnNext(
                  value -> {
                    signalled.set(Thread.currentThread());
                    onSignal.set(registry.getCurrentObservation());
                    spanOnSignal.set(tracer.currentSpan());
                  })
              .contextWrite(context -> context.put(ObservationThreadLocalAccessor.KEY, request));
      assertThat(subscriber.block(LIMIT)).isEqualTo(1L);
      assertThat(registry.getCurrentObservation()).isSameAs(request);
      assertThat(tracer.currentSpan()).isEqualTo(requestSpan);
    }
    request.stop();

    assertThat(registry.getCurrentObservation()).isNull();
    assertThat(tracer.currentSpan()).isNull();
    for (ExecutorService thread : List.of(generatorThread, storeThread)) {
      assertThat(currentOn(thread)).isNull();
      assertThat(spanOn(thread)).isNull();
    }

    assertThat(registry)
        .hasNumberOfObservationsEqualTo(3)
        .hasObservationWithNameEqualTo("millrace.reservation")
        .that()
        .hasBeenStopped()
        .doesNotHaveParentObservation();
    SimpleSpan reservation = span("reserve s");
    SimpleSpan asked = span("request");
    SimpleSpan statement = span("statement");
    assertThat(reservation.getParentId()).isEmpty();
    assertThat(reservation.getTraceId()).isNotEqualTo(asked.getTraceId());
    assertThat(statement.getParentId()).isEqualTo(reservation.getSpanId());
    assertThat(statement.getTraceId()).isEqualTo(reservation.getTraceId());
    assertThat(asked.getParentId()).isEmpty();
    assertThat(reservation.getTags()).containsEntry("outcome", "success");

    assertThat(currentInDriver)
        .singleElement()
        .isNotNull()
        .returns("millrace.reservation", current -> current.getContext().getName());
    assertThat(inContext.get()).isSameAs(request);
    boolean itsOwn = automatic || signalled.get() == Thread.currentThread();
    assertThat(onSignal.get()).isSameAs(itsOwn ? request : null);
    assertThat(spanOnSignal.get()).isEqualTo(itsOwn ? requestSpan : null);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aSpanThatIsNoObservationIsNoParentEither(boolean automatic) {
    if (automatic) {
      Hooks.enableAutomaticContextPropagation();
    }
    SimpleSpan request = tracer.nextSpan().name("request").start();
    try (Tracer.SpanInScope scope = tracer.withSpan(request)) {
      assertThat(store(true).reserve("s", 5).block(LIMIT)).isEqualTo(SequenceBlock.of(1, 5));
      assertThat(tracer.currentSpan()).isSameAs(request);
    }
    SimpleSpan reservation = span("reserve s");
    assertThat(reservation.getParentId()).isEmpty();
    assertThat(reservation.getTraceId()).isNotEqualTo(request.getTraceId());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anObservationInTheContextOfTheRequestIsNoParent(boolean automatic) {
    if (automatic) {
      Hooks.enableAutomaticContextPropagation();
    }
    Observation request = Observation.createNotStarted("request", registry).start();
    assertThat(
            store(false)
                .reserve("s", 5)
                .contextWrite(context -> context.put(ObservationThreadLocalAccessor.KEY, request))
                .block(LIMIT))
        .isEqualTo(SequenceBlock.of(1, 5));
    request.stop();
    assertThat(span("reserve s").getParentId()).isEmpty();
    assertThat(span("statement").getParentId()).isEqualTo(span("reserve s").getSpanId());
  }

  @Test
  void whereReservationsAreNotToBeObservedTheDriverJoinsNobodyElsesTrace() {
    registry
        .observationConfig()
        .observationPredicate((name, context) -> !name.equals("millrace.reservation"));
    Observation request = Observation.createNotStarted("request", registry).start();
    assertThat(
            store(false)
                .reserve("s", 5)
                .contextWrite(context -> context.put(ObservationThreadLocalAccessor.KEY, request))
                .block(LIMIT))
        .isEqualTo(SequenceBlock.of(1, 5));
    request.stop();
    assertThat(span("statement").getParentId()).isEmpty();
    assertThat(registry).hasNumberOfObservationsEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aReservationThatIsCancelledLeavesNothingBehind(boolean automatic) throws Exception {
    if (automatic) {
      Hooks.enableAutomaticContextPropagation();
    }
    Observation request = Observation.createNotStarted("request", registry).start();
    try (Observation.Scope scope = request.openScope()) {
      store(false)
          .reserve("s", 5)
          .subscribeOn(answering)
          .doOnSubscribe(subscription -> subscription.cancel())
          .subscribe();
      assertThat(registry.getCurrentObservation()).isSameAs(request);
    }
    request.stop();
    assertThat(currentOn(storeThread)).isNull();
    assertThat(spanOn(storeThread)).isNull();
  }
}
