package io.millrace;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;

/**
 * A generator beside a sequential model of it: the values that the store has given, and what each
 * subscriber has requested and received. After each step it compares the two. One thread drives
 * all.
 */
final class GeneratorModel {

  /** One step of a script. */
  sealed interface Step {}

  /** A subscriber of one value. */
  record Next() implements Step {}

  /** A subscriber of a list. */
  record NextList(int size) implements Step {}

  /** A subscriber of a stream. */
  record Values(int request) implements Step {}

  /** One of the subscribers requests more, if it is a stream's. */
  record Request(int subscriber, int n) implements Step {}

  /** One of the subscribers cancels. */
  record Cancel(int subscriber) implements Step {}

  /** The store answers the reservation that is held. */
  record Answer() implements Step {}

  /** The store answers a reservation that the generator has abandoned. */
  record AnswerLate() implements Step {}

  /** The reservation that is held fails. */
  record Fail() implements Step {}

  /** Some tasks of the scheduler run; the others go on waiting. */
  record Run(int tasks) implements Step {}

  /** All tasks run. */
  record Settle() implements Step {}

  /** Time passes. */
  record Pass(int millis) implements Step {}

  /** A generator by name is evicted, if it is idle. */
  record Retire() implements Step {}

  /** The generator is disposed of. */
  record Dispose() implements Step {}

  private static final Duration ACQUIRE_TIMEOUT = Duration.ofMillis(500);
  private static final Duration RESERVATION_TIMEOUT = Duration.ofMillis(200);
  private static final Duration LONGEST_BACKOFF = Duration.ofMillis(40);
  private static final int ATTEMPTS = 3;

  /** Rounds of answers after which every subscriber must have been served. */
  private static final int ROUNDS = 1_000;

  private final Setting setting;
  private final ManualScheduler scheduler = new ManualScheduler();
  private final HeldStore store = new HeldStore();
  private final SequenceGenerator generator;

  /**
   * The generators by name, if the generator is one of them: then it is made anew again and again.
   */
  private final @Nullable SequenceGenerators names;

  private final List<ModelTaker> takers = new ArrayList<>();
  private final Set<Long> received = new HashSet<>();
  private long largestReceived;

  private final StoreAccounts accounts = new StoreAccounts();
  private @Nullable AssertionError violation;
  private boolean failedOnce;
  private @Nullable Disposable disposal;
  private boolean disposed;

  GeneratorModel(Setting setting, boolean deliverOn, boolean byName) {
    this.setting = setting;
    if (byName) {
      names =
          SequenceGenerators.builder(accounts.over(store))
              .scheduler(scheduler)
              .idleAfter(Duration.ZERO)
              .sequence("s", options -> configure(setting.apply(options), deliverOn))
              .build();
      generator = names.get("s");
    } else {
      names = null;
      generator = configure(setting.builder(accounts.over(store), "s"), deliverOn).build();
    }
  }

  private SequenceGeneratorBuilder configure(SequenceGeneratorBuilder builder, boolean deliverOn) {
    builder
        .metrics(accounts.recorder())
        .scheduler(scheduler)
        .acquireTimeout(ACQUIRE_TIMEOUT)
        .reservationTimeout(RESERVATION_TIMEOUT)
        .backoff(Duration.ofMillis(10), LONGEST_BACKOFF, 0, ATTEMPTS);
    return deliverOn ? builder.deliverOn(scheduler) : builder;
  }

  SequenceGenerator generator() {
    return generator;
  }

  long nanos() {
    return scheduler.nanos();
  }

  long largestReceived() {
    return largestReceived;
  }

  /**
   * Throws the first violation again in {@link #check}: a generator drops what subscribers throw.
   */
  void require(boolean holds, String message, @Nullable Object... arguments) {
    if (!holds) {
      AssertionError found =
          new AssertionError(message.formatted(arguments) + "; " + generator.snapshot());
      violation = violation == null ? found : violation;
      throw found;
    }
  }

  // What subscribers report.

  void received(ModelTaker taker, long value) {
    require(value >= 1 && value < store.nextValue(), "%d was not reserved", value);
    require(received.add(value), "%d was received twice", value);
    largestReceived = Math.max(largestReceived, value);
    int before = taker.values.size() - 2;
    require(before < 0 || taker.values.get(before) < value, "the values of %s do not rise", taker);
    require(
        setting != Setting.ORDERED || value > taker.largestBefore,
        "%d was requested after %d was received",
        value,
        taker.largestBefore);
  }

  void failed(ModelTaker taker, Throwable failure) {
    if (failure instanceof SequenceTimeoutException) {
      require(waited(taker) || failedOnce, "%s timed out after too short a wait", taker);
    } else if (failure instanceof SequenceReservationException) {
      require(failedOnce, "%s received %s, and no reservation has failed", taker, failure);
    } else {
      require(
          disposed && failure instanceof SequenceDisposedException,
          "%s received %s",
          taker,
          failure);
    }
  }

  private boolean waited(ModelTaker taker) {
    return nanos() - taker.since >= ACQUIRE_TIMEOUT.toNanos();
  }

  // Steps.

  void apply(Step step) {
    if (step instanceof Next) {
      add(new ModelTaker.OfNext(this));
    } else if (step instanceof NextList list) {
      add(new ModelTaker.OfList(this, list.size));
    } else if (step instanceof Values values) {
      add(new ModelTaker.OfStream(this, values.request));
    } else if (step instanceof Request request) {
      ModelTaker taker = taker(request.subscriber);
      if (taker instanceof ModelTaker.OfStream) {
        taker.request(request.n);
      }
    } else if (step instanceof Cancel cancel) {
      ModelTaker taker = taker(cancel.subscriber);
      if (taker != null) {
        taker.cancel();
      }
    } else if (step instanceof Answer) {
      store.answer();
    } else if (step instanceof AnswerLate) {
      store.answerLate();
    } else if (step instanceof Fail) {
      failedOnce |= store.fail(new TimeoutException("told to fail"));
    } else if (step instanceof Run run) {
      for (int task = 0; task < run.tasks; task++) {
        scheduler.runNext();
      }
    } else if (step instanceof Settle) {
      settle();
    } else if (step instanceof Pass pass) {
      pass(pass.millis);
    } else if (step instanceof Retire) {
      if (names != null) {
        generator.dispose();
      }
    } else if (step instanceof Dispose) {
      dispose();
    }
    check();
  }

  private void add(ModelTaker taker) {
    takers.add(taker);
  }

  private @Nullable ModelTaker taker(int number) {
    return takers.isEmpty() ? null : takers.get(number % takers.size());
  }

  private void pass(long millis) {
    scheduler.advance(TimeUnit.MILLISECONDS.toNanos(millis));
    failedOnce |= millis >= RESERVATION_TIMEOUT.toMillis();
  }

  private void settle() {
    scheduler.runAll();
  }

  private void dispose() {
    if (!disposed) {
      disposed = true;
      disposal = (names == null ? generator.disposeLater() : names.disposeLater()).subscribe();
    }
  }

  // Comparison.

  private void requireAccounts(long issued) {
    String fault = accounts.faultOf(generator, issued);
    require(fault.isEmpty(), "%s", fault);
  }

  private long unmet() {
    return takers.stream().mapToLong(ModelTaker::unmet).sum();
  }

  private void check() {
    if (violation != null) {
      throw violation;
    }
    require(store.overlapping() == 0, "two reservations at once");
    if (!scheduler.isQuiet()) {
      return;
    }
    SequenceGeneratorSnapshot snapshot = generator.snapshot();
    if (names == null) {
      checkFigures(snapshot);
    }
    checkWaiting(snapshot);
  }

  /** A generator by name loses its figures when it is evicted. */
  private void checkFigures(SequenceGeneratorSnapshot snapshot) {
    long inLists = snapshot.issued() - received.size();
    if (!disposed) { // a shutdown reports its values when it knows whether the store takes them
      requireAccounts(snapshot.issued());
    }
    long mostInLists =
        takers.stream()
            .filter(ModelTaker.OfList.class::isInstance)
            .mapToLong(taker -> Math.max(0, taker.unmet() - 1))
            .sum();
    require(
        inLists >= 0 && inLists <= mostInLists,
        "%d values are issued and were not received; lists may hold %d",
        inLists,
        mostInLists);
    require(
        snapshot.unmetDemand() == unmet() - inLists, "the unmet demand is %d", unmet() - inLists);
  }

  private void checkWaiting(SequenceGeneratorSnapshot snapshot) {
    long waiting = takers.stream().filter(taker -> taker.unmet() > 0).count();
    require(snapshot.waiters() == waiting, "%d subscribers wait", waiting);
    if (disposed) {
      require(waiting == 0, "subscribers wait after the disposal");
      return;
    }
    require(
        waiting == 0 || store.isHeld() || snapshot.failing(),
        "subscribers wait, and no reservation is under way");
    require(
        waiting == 0 || snapshot.buffered() == 0 || takers.stream().anyMatch(this::isRising),
        "subscribers wait beside a buffer with values");
    require(
        snapshot.lowWatermark() == 0
            || snapshot.reservations() == 0
            || snapshot.buffered() > snapshot.lowWatermark()
            || store.isHeld()
            || snapshot.failing()
            || snapshot.lastFailure() != null,
        "the buffer is below its watermark, and no reservation is under way");
    takers.forEach(
        taker ->
            require(
                taker.unmet() == 0 || !taker.isSingle() || !waited(taker),
                "%s still waits after its timeout",
                taker));
  }

  /** Whether it waits for values above those it has; what others gave back may be too low. */
  private boolean isRising(ModelTaker taker) {
    return !taker.isSingle() && taker.unmet() > 0;
  }

  /** Answers reservations until all subscribers are served, then disposes of the generator. */
  void finish() {
    settle();
    check();
    for (int round = 0; unmet() > 0; round++) {
      require(round < ROUNDS, "subscribers are not served");
      if (!store.isHeld()) {
        pass(LONGEST_BACKOFF.toMillis());
      }
      store.answer();
      settle();
      check();
    }
    dispose();
    settle();
    store.answer(); // a block that is reserved ahead
    settle();
    check();
    SequenceGeneratorSnapshot end = generator.snapshot();
    require(disposal != null && disposal.isDisposed(), "the disposal does not end");
    require(end.buffered() == 0, "values stay in the buffer");
    if (names == null) {
      requireAccounts(received.size());
    } else {
      String fault = accounts.faultOf("s", received.size(), 0);
      require(fault.isEmpty(), "%s", fault);
    }
    require(store.nextValue() > largestReceived, "a received value was given back to the store");
  }
}
