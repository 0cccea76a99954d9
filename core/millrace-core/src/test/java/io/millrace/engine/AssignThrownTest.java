package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.HeldStore;
import io.millrace.InlineScheduler;
import io.millrace.SequenceBlock;
import io.millrace.SequenceGenerator;
import io.millrace.Thrown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.util.context.Context;

/**
 * Something is thrown at a call out of the loop of {@code assign}. The subscriber is told, source
 * and values are cancelled, the generator has its values back, and the loop is not held for ever.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a guard against hanging
class AssignThrownTest {

  private static final int ELEMENTS = 10;

  /** Where it is thrown, at the third call or at the only one. */
  private enum Call {
    ASSIGNER,
    ON_NEXT,
    ON_ERROR,
    ON_COMPLETE,
    SOURCE_REQUEST,
    SOURCE_CANCEL,
    VALUES_SUBSCRIBE,
    VALUES_REQUEST,
    VALUES_CANCEL,
    DISCARD_HOOK,
    DROPPED_HOOK
  }

  static Stream<Arguments> everyCall() {
    return Stream.of(Call.values())
        .flatMap(
            call ->
                Stream.of(Thrown.values())
                    .flatMap(
                        thrown ->
                            Stream.of(true, false)
                                .map(waiting -> Arguments.of(call, thrown, waiting))));
  }

  private final Queue<Throwable> dropped = new ConcurrentLinkedQueue<>();
  private final Queue<Object> discarded = new ConcurrentLinkedQueue<>();

  @AfterEach
  void resetHooks() {
    Hooks.resetOnErrorDropped();
  }

  /** Throws where it is told to. */
  private static final class Trap {

    private final Call where;
    private final Thrown thrown;
    private final int which;
    private final AtomicInteger calls = new AtomicInteger();

    Trap(Call where, Thrown thrown) {
      this.where = where;
      this.thrown = thrown;
      this.which = where == Call.ASSIGNER || where == Call.ON_NEXT ? 3 : 1;
    }

    void at(Call call) {
      if (call == where && calls.incrementAndGet() == which) {
        thrown.go();
      }
    }

    boolean wasSprung() {
      return calls.get() >= which;
    }
  }

  /** Emits ten elements at the first request, and then what it is told to. */
  private static final class Source extends Flux<Integer> implements Subscription {

    private final Trap trap;
    private final AtomicInteger cancels = new AtomicInteger();
    private @Nullable CoreSubscriber<? super Integer> actual;
    private boolean requested;

    Source(Trap trap) {
      this.trap = trap;
    }

    @Override
    public void subscribe(CoreSubscriber<? super Integer> subscriber) {
      actual = subscriber;
      subscriber.onSubscribe(this);
    }

    @Override
    public void request(long n) {
      if (!requested) {
        requested = true;
        for (int i = 0; i < ELEMENTS; i++) {
          emit(i);
        }
      }
      trap.at(Call.SOURCE_REQUEST);
    }

    @Override
    public void cancel() {
      cancels.incrementAndGet();
      trap.at(Call.SOURCE_CANCEL);
    }

    CoreSubscriber<? super Integer> subscriber() {
      return Objects.requireNonNull(actual);
    }

    void emit(int element) {
      subscriber().onNext(element);
    }
  }

  /** A generator's values, which throw where they are told to. */
  private static final class Values extends Flux<Long> {

    private final Flux<Long> values;
    private final Trap trap;

    Values(Flux<Long> values, Trap trap) {
      this.values = values;
      this.trap = trap;
    }

    @Override
    public void subscribe(CoreSubscriber<? super Long> actual) {
      trap.at(Call.VALUES_SUBSCRIBE);
      values.subscribe(
          new RunSubscriber() {

            @Override
            public Context currentContext() {
              return actual.currentContext();
            }

            @Override
            public void onSubscribe(Subscription own) {
              actual.onSubscribe(new Trapped((RunSubscription) own));
            }

            @Override
            public long onRun(long first, long count) {
              return ((RunSubscriber) actual).onRun(first, count);
            }

            @Override
            public void onNext(Long value) {
              actual.onNext(value);
            }

            @Override
            public void onError(Throwable failure) {
              actual.onError(failure);
            }

            @Override
            public void onComplete() {
              actual.onComplete();
            }
          });
    }

    private final class Trapped implements RunSubscription {

      private final RunSubscription own;

      Trapped(RunSubscription own) {
        this.own = own;
      }

      @Override
      public void giveBack(SequenceBlock block) {
        own.giveBack(block);
      }

      @Override
      public void request(long n) {
        own.request(n);
        trap.at(Call.VALUES_REQUEST);
      }

      @Override
      public void cancel() {
        own.cancel();
        trap.at(Call.VALUES_CANCEL);
      }
    }
  }

  private static final class Receiver implements CoreSubscriber<Long> {

    private final Trap trap;
    private final List<Long> received = new ArrayList<>();
    private final Queue<Object> ends = new ConcurrentLinkedQueue<>();
    private @Nullable Subscription subscription;

    Receiver(Trap trap) {
      this.trap = trap;
    }

    @Override
    public void onSubscribe(Subscription own) {
      subscription = own;
    }

    Subscription subscription() {
      return Objects.requireNonNull(subscription);
    }

    @Override
    public void onNext(Long value) {
      received.add(value);
      trap.at(Call.ON_NEXT);
    }

    @Override
    public void onError(Throwable failure) {
      ends.add(failure);
      trap.at(Call.ON_ERROR);
    }

    @Override
    public void onComplete() {
      ends.add("completed");
      trap.at(Call.ON_COMPLETE);
    }
  }

  @ParameterizedTest
  @MethodSource("everyCall")
  void theStreamEndsAndKeepsNothing(Call call, Thrown thrown, boolean waiting) {
    Trap trap = new Trap(call, thrown);
    Hooks.onErrorDropped(
        error -> {
          dropped.add(error);
          trap.at(Call.DROPPED_HOOK);
        });
    HeldStore held = new HeldStore();
    SequenceGenerator generator =
        SequenceGenerator.builder(held, "s").scheduler(new InlineScheduler()).build();
    generator.warmup().subscribe();
    if (!waiting) {
      held.answer();
    }
    Source source = new Source(trap);
    Receiver receiver = new Receiver(trap);
    Flux<Long> raw = new GeneratorSource.ValuesFlux((BufferedSequenceGenerator) generator);
    AtomicInteger assigned = new AtomicInteger();
    new AssignFlux<Integer, Long>(
            source,
            new Values(raw, trap),
            (element, value) -> {
              assigned.incrementAndGet();
              trap.at(Call.ASSIGNER);
              return value;
            })
        .doOnDiscard(
            Integer.class,
            element -> {
              discarded.add(element);
              trap.at(Call.DISCARD_HOOK);
            })
        .subscribe((CoreSubscriber<Long>) receiver);

    receiver.subscription().request(ELEMENTS + 1);
    held.answer();
    switch (call) {
      case ON_COMPLETE -> source.subscriber().onComplete();
      case ON_ERROR -> source.subscriber().onError(new IllegalStateException("source"));
      case SOURCE_CANCEL, DISCARD_HOOK, VALUES_CANCEL -> {
        receiver.subscription().cancel();
        source.emit(ELEMENTS);
      }
      case DROPPED_HOOK -> {
        receiver.subscription().cancel();
        source.emit(ELEMENTS);
        try {
          source.subscriber().onError(new IllegalStateException("source"));
        } catch (Throwable fromTheHook) {
          assertThat(thrown.is(fromTheHook)).isTrue();
        }
      }
      default -> {}
    }

    boolean endedByTheSource = call == Call.ON_COMPLETE || call == Call.ON_ERROR;
    boolean cancelled =
        call == Call.SOURCE_CANCEL
            || call == Call.DISCARD_HOOK
            || call == Call.VALUES_CANCEL
            || call == Call.DROPPED_HOOK;
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(1))
        .untilAsserted(
            () -> {
              assertThat(trap.wasSprung()).isTrue();
              assertThat(receiver.ends).hasSize(cancelled ? 0 : 1);
              assertThat(source.cancels).hasValue(endedByTheSource ? 0 : 1);
              assertThat(generator.snapshot().waiters()).isZero();
              assertThat(generator.snapshot().issued()).isEqualTo(assigned.get());
            });
    if (!cancelled && !endedByTheSource) {
      assertThat(receiver.ends).allMatch(end -> thrown.is((Throwable) end));
      source.emit(ELEMENTS); // by a source that does not know of the cancel yet
    }
    int emitted = endedByTheSource ? ELEMENTS : ELEMENTS + 1;
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(1))
        .untilAsserted(
            () -> assertThat(receiver.received.size() + discarded.size()).isEqualTo(emitted));
    generator.dispose();
    held.answer();
    assertThat(generator.snapshot().reservationInFlight()).isFalse();
  }
}
