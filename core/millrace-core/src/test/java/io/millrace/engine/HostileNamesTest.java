package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.InlineScheduler;
import io.millrace.Internals;
import io.millrace.Probe;
import io.millrace.RefusingScheduler;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceMetricsRecorder;
import io.millrace.test.InMemorySequenceStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.scheduler.Scheduler;

/**
 * Exceptions thrown at calls that generators by name make to somebody else's code: no place is
 * lost, and nobody is left in line.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a guard against hanging
class HostileNamesTest {

  /** What is thrown. */
  private enum Kind {
    REJECTED(RejectedExecutionException::new),
    ILLEGAL(() -> new IllegalStateException("on purpose"));

    private final Supplier<Throwable> made;

    Kind(Supplier<Throwable> made) {
      this.made = made;
    }

    void raise() {
      Kind.<RuntimeException>sneaky(made.get());
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> void sneaky(Throwable thrown) throws E {
      throw (E) thrown;
    }
  }

  private static final int PLACES = 3;

  private final InMemorySequenceStore store = InMemorySequenceStore.create();
  private final AtomicBoolean hostile = new AtomicBoolean(true);
  private final AtomicInteger thrown = new AtomicInteger();

  private void perhaps(Kind kind) {
    if (hostile.get()) {
      thrown.incrementAndGet();
      kind.raise();
    }
  }

  private SequenceGenerators.Builder builder() {
    return SequenceGenerators.builder(store)
        .scheduler(new InlineScheduler())
        .maxGenerators(PLACES)
        .anyName()
        .defaults(options -> options.createMissing(1).blockSize(10));
  }

  /** Runs what may throw what is thrown at it. */
  private static void run(Runnable hit) {
    try {
      hit.run();
    } catch (Throwable expected) {
      // the caller's own, or told to the subscriber
    }
  }

  /** Has every place used at once, and then all given back. */
  private void assertNothingIsLost(SequenceGenerators generators) {
    assertThat(thrown).as("how often something was thrown").hasPositiveValue();
    hostile.set(false);
    List<Probe> streams = new ArrayList<>();
    for (int i = 0; i < PLACES; i++) {
      streams.add(Probe.of(generators.get("fresh" + i).values(), 1));
    }
    assertThat(streams).allSatisfy(each -> assertThat(each.error).isNull());
    assertThat(streams).allSatisfy(each -> assertThat(each.values).hasSize(1));
    assertThat(Internals.of(generators).live()).as("generators").isLessThanOrEqualTo(PLACES);
    streams.forEach(Probe::cancel);
    List<String> done = new ArrayList<>();
    generators.disposeLater().subscribe(nothing -> {}, failure -> {}, () -> done.add("done"));
    assertThat(done).containsExactly("done");
    assertThat(Internals.of(generators).held()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void optionsThatThrow(Kind kind) {
    AtomicBoolean checked = new AtomicBoolean();
    SequenceGenerators generators =
        builder()
            .defaults(
                options -> {
                  if (checked.getAndSet(true)) {
                    perhaps(kind);
                  }
                })
            .build();
    for (int i = 0; i < 10; i++) {
      String name = "s" + i;
      run(() -> Probe.of(generators.get(name).next(), 1));
      run(() -> Probe.of(generators.get(name).values(), 1));
    }
    assertThat(Internals.of(generators).held()).isZero();
    assertNothingIsLost(generators);
  }

  @ParameterizedTest
  @EnumSource
  void aRecorderThatThrows(Kind kind) {
    SequenceMetricsRecorder recorder =
        new SequenceMetricsRecorder() {
          @Override
          public void opened(SequenceGenerator generator) {
            perhaps(kind);
          }

          @Override
          public void closed(SequenceGenerator generator) {
            perhaps(kind);
          }
        };
    SequenceGenerators generators =
        builder().defaults(options -> options.metrics(recorder)).build();
    for (int i = 0; i < 10; i++) {
      assertThat(Probe.of(generators.get("s" + i).next(), 1).values).containsExactly(1L);
    }
    assertNothingIsLost(generators);
  }

  @ParameterizedTest
  @EnumSource
  void aSchedulerThatThrows(Kind kind) {
    Scheduler inline = new InlineScheduler();
    SequenceGenerators generators =
        builder()
            .scheduler(
                new RefusingScheduler(
                    () -> {
                      thrown.incrementAndGet();
                      return kind.made.get();
                    }))
            .defaults(options -> options.scheduler(inline))
            .build();
    for (int i = 0; i < 10; i++) {
      assertThat(Probe.of(generators.get("s" + i).next(), 1).values).containsExactly(1L);
    }
    assertNothingIsLost(generators);
  }

  /** Throws from one of its methods. */
  private final class Thrower implements CoreSubscriber<Long> {

    private final Kind kind;
    private final boolean atOnce;

    Thrower(Kind kind, boolean atOnce) {
      this.kind = kind;
      this.atOnce = atOnce;
    }

    @Override
    public void onSubscribe(Subscription s) {
      if (atOnce) {
        perhaps(kind);
      }
      s.request(2);
    }

    @Override
    public void onNext(Long value) {
      perhaps(kind);
    }

    @Override
    public void onError(Throwable failure) {
      perhaps(kind);
    }

    @Override
    public void onComplete() {
      perhaps(kind);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aSubscriberThatThrows(Kind kind) {
    SequenceGenerators generators = builder().build();
    for (int i = 0; i < PLACES; i++) {
      Probe.of(generators.get("s" + i).next(), 1); // so that values are buffered
    }
    for (int i = 0; i < 2 * PLACES; i++) {
      SequenceGenerator handle = generators.get("s" + i % (PLACES + 1));
      for (Publisher<Long> each : List.<Publisher<Long>>of(handle.next(), handle.values())) {
        run(() -> each.subscribe(new Thrower(kind, true)));
        run(() -> each.subscribe(new Thrower(kind, false)));
      }
    }
    assertNothingIsLost(generators);
  }

  @ParameterizedTest
  @EnumSource
  void oneWhoIsToldOfTheEndOfAnEvictionThatThrows(Kind kind) {
    SequenceGenerators generators = builder().build();
    for (int i = 0; i < 10; i++) {
      SequenceGenerator handle = generators.get("s" + i);
      Probe.of(handle.next(), 1);
      run(() -> handle.disposeLater().subscribe(nothing -> {}, failure -> {}, () -> perhaps(kind)));
    }
    assertNothingIsLost(generators);
  }
}
