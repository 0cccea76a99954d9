package io.millrace;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;

/**
 * The search of one subscriber for a lease, when there is no generator that it can lease at once.
 * The outcome is a lease or an error.
 *
 * <p><b>Invariant.</b> {@link #state} leaves {@link #WAITING} once. If the outcome is there before
 * the subscriber's thread returns, that thread passes it on, within its call of {@code subscribe}.
 * Otherwise the scheduler passes it on. In that case the subscriber receives this object as its
 * subscription before its thread returns, and this object keeps its requests until there is a
 * lease. If the subscriber cancels, no generator is made for it, or its lease ends at once.
 */
final class Seek<T> extends Operators.DeferredSubscription implements RunSubscription {

  private static final int WAITING = 0;

  /** The subscriber's thread has returned; the scheduler will pass the outcome on. */
  private static final int DEFERRED = 1;

  /** The outcome is there. The subscriber's thread passes it on, or a thread of the scheduler. */
  private static final int DECIDED = 2;

  /** The subscriber's call of {@code subscribe} threw; the outcome is not passed on. */
  private static final int ABANDONED = 3;

  @SuppressWarnings("rawtypes") // a class literal has no type arguments
  private static final AtomicIntegerFieldUpdater<Seek> STATE =
      AtomicIntegerFieldUpdater.newUpdater(Seek.class, "state");

  private final LiveGenerator candidate;
  private final CoreSubscriber<? super T> actual;
  private final LeaseAction<T> action;

  private volatile int state = WAITING;

  /** Whether the subscriber received this subscription. Written by its thread before it returns. */
  private boolean subscribed;

  /**
   * The outcome is this or {@link #refusal}. Written once, by the loop, before {@link #onDecided}.
   */
  private @Nullable LiveGenerator lease;

  private @Nullable SequenceException refusal;

  /** The leased subscription, if values can be given back to it. Written once. */
  private volatile @Nullable RunSubscription delegate;

  /** Whether the subscriber has called {@link #end}: it gives no more values back. */
  private volatile boolean ended;

  /**
   * Creates a search.
   *
   * @param candidate the generator to install if the name has none
   */
  Seek(LiveGenerator candidate, CoreSubscriber<? super T> actual, LeaseAction<T> action) {
    this.candidate = candidate;
    this.actual = actual;
    this.action = action;
  }

  /** What happens with the lease that a search finds. */
  interface LeaseAction<T> {

    /**
     * Subscribes to the leased generator for the subscriber. The lease ends with that subscription.
     *
     * @param seek what the subscriber received already as its subscription, or null
     */
    void use(LiveGenerator lease, CoreSubscriber<? super T> actual, @Nullable Seek<?> seek);
  }

  LiveGenerator candidate() {
    return candidate;
  }

  /** Whether the outcome is no longer needed. */
  boolean isUnwanted() {
    return state == ABANDONED || isCancelled();
  }

  void grant(LiveGenerator leased) {
    lease = leased;
  }

  void refuse(SequenceException error) {
    refusal = error;
  }

  /**
   * The outcome is there. If the subscriber's thread has returned, the scheduler passes it on.
   * Called once, outside the loop.
   */
  void onDecided(Scheduler scheduler) {
    if (STATE.compareAndSet(this, WAITING, DECIDED)) {
      return;
    }
    if (state == ABANDONED) {
      endUnusedLease();
      return;
    }
    try {
      scheduler.schedule(this::passOnce);
    } catch (Throwable refused) {
      passOnce(); // else the lease would never end, nor its generator be retired
    }
  }

  /**
   * Passes the outcome on, unless that was done. A scheduler may run this inline and rethrow what
   * it throws, which looks like a refusal.
   */
  private void passOnce() {
    if (STATE.compareAndSet(this, DEFERRED, DECIDED)) {
      pass();
    }
  }

  /** Passes the outcome on if it is there; otherwise leaves that to the scheduler. */
  void passOrDefer() {
    if (state == WAITING) {
      subscribed = true;
      try {
        actual.onSubscribe(this);
      } catch (Throwable thrown) {
        if (!abandon()) {
          endUnusedLease();
        }
        throw thrown;
      }
    }
    if (!STATE.compareAndSet(this, WAITING, DEFERRED)) {
      pass();
    }
  }

  /** Abandons the search. Returns false if the outcome is there already. */
  boolean abandon() {
    return STATE.compareAndSet(this, WAITING, ABANDONED);
  }

  /** Passes the kept requests to the leased subscription, and everything that comes later. */
  void use(LeasedSubscriber<?> leased) {
    if (leased instanceof RunSubscription runs) {
      delegate = runs;
    }
    set(leased);
    if (ended) {
      end();
    }
  }

  @Override
  public void giveBack(SequenceBlock values) {
    RunSubscription current = delegate;
    if (current != null) {
      current.giveBack(values);
    }
  }

  @Override
  public void end() {
    ended = true; // before the read of delegate: use() writes delegate, then reads this
    RunSubscription current = delegate;
    if (current != null) {
      current.end();
    }
  }

  private void endUnusedLease() {
    LiveGenerator leased = lease;
    if (leased == null) {
      return;
    }
    try {
      if (leased == candidate) {
        leased.opened(); // it is installed, so other subscribers may use it
      }
    } finally {
      leased.endLease();
    }
  }

  private void pass() {
    if (isCancelled()) {
      endUnusedLease();
    } else if (refusal == null) {
      use(Objects.requireNonNull(lease));
    } else if (subscribed) {
      actual.onError(Operators.onOperatorError(refusal, actual.currentContext()));
    } else {
      refuse(actual, refusal);
    }
  }

  private void use(LiveGenerator leased) {
    if (leased == candidate) {
      try {
        leased.opened();
      } catch (Throwable thrown) {
        leased.endLease();
        throw thrown;
      }
    }
    action.use(leased, actual, subscribed ? this : null);
  }

  /** Signals an error to a subscriber that has no subscription yet. */
  static void refuse(CoreSubscriber<?> actual, Throwable error) {
    Operators.error(actual, Operators.onOperatorError(error, actual.currentContext()));
  }
}
