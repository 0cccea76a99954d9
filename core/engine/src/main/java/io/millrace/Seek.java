package io.millrace;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;

/**
 * A subscriber that needs a generator which is not there, and what it has asked for meanwhile.
 *
 * <p><b>Invariant.</b> {@link #state} leaves {@link #WAITING} once. If the outcome is there before
 * the subscriber's thread leaves, that thread passes it on, within its call of {@code subscribe};
 * else the scheduler does. A subscriber whose thread leaves has been given this subscription before
 * that, which holds its requests back; if it cancels, nothing is made for it, or the lease it gets
 * is ended at once.
 */
final class Seek<T> extends Operators.DeferredSubscription implements RunSubscription {

  private static final int WAITING = 0;

  /** The subscriber's thread has gone. */
  private static final int LEFT = 1;

  /** The subscriber's thread will find the outcome. */
  private static final int DECIDED = 2;

  /** The subscriber's thread was thrown out of its search, and the subscriber knows that. */
  private static final int ABANDONED = 3;

  @SuppressWarnings("rawtypes") // a class literal has no type arguments
  private static final AtomicIntegerFieldUpdater<Seek> STATE =
      AtomicIntegerFieldUpdater.newUpdater(Seek.class, "state");

  private final LiveGenerator made;
  private final CoreSubscriber<? super T> actual;
  private final Lessee<T> lessee;

  private volatile int state = WAITING;

  /** Whether the subscriber has this subscription. Written by its thread, before it leaves. */
  private boolean subscribed;

  /** Written once, by the loop that decides, before {@link #decided} is called: one of the two. */
  private @Nullable LiveGenerator lease;

  private @Nullable SequenceException refusal;

  /** The subscription that this one stands for, if it gives values back. Written once. */
  private volatile @Nullable RunSubscription found;

  /** Whether the subscriber gives nothing back any more. */
  private volatile boolean ended;

  /**
   * A search.
   *
   * @param made the generator to use if there is none
   */
  Seek(LiveGenerator made, CoreSubscriber<? super T> actual, Lessee<T> lessee) {
    this.made = made;
    this.actual = actual;
    this.lessee = lessee;
  }

  /** What to do with a lease. */
  interface Lessee<T> {

    /**
     * Has a subscriber use a generator, and end the lease when it has.
     *
     * @param sought what the subscriber was given already in place of a subscription, or null
     */
    void use(LiveGenerator lease, CoreSubscriber<? super T> actual, @Nullable Seek<?> sought);
  }

  LiveGenerator made() {
    return made;
  }

  /** Whether nobody wants the outcome any more. */
  boolean isInVain() {
    return state == ABANDONED || isCancelled();
  }

  void grant(LiveGenerator leased) {
    lease = leased;
  }

  void refuse(SequenceException error) {
    refusal = error;
  }

  /** The outcome is there, unless it was given up. Called once, outside the loop that decides. */
  void decided(Scheduler scheduler) {
    if (STATE.compareAndSet(this, WAITING, DECIDED)) {
      return;
    }
    if (state == ABANDONED) {
      giveUp();
      return;
    }
    try {
      scheduler.schedule(this::passOnce);
    } catch (Throwable refused) {
      passOnce(); // a lease that nobody ends would keep its generator for ever
    }
  }

  /** Once: a scheduler may run it at once, and throw what it threw as if it refused it. */
  private void passOnce() {
    if (STATE.compareAndSet(this, LEFT, DECIDED)) {
      pass();
    }
  }

  /** Passes the outcome to the subscriber if it is there; else the scheduler will. */
  void passOrLeave() {
    if (state == WAITING) {
      subscribed = true;
      try {
        actual.onSubscribe(this);
      } catch (Throwable thrown) {
        if (!abandon()) {
          giveUp();
        }
        throw thrown;
      }
    }
    if (!STATE.compareAndSet(this, WAITING, LEFT)) {
      pass();
    }
  }

  /** Gives the search up; false if the outcome is there already. */
  boolean abandon() {
    return STATE.compareAndSet(this, WAITING, ABANDONED);
  }

  /** Stands for a subscription from now on, which may still be refused. */
  void use(LeasedSubscriber<?> leased) {
    if (leased instanceof RunSubscription runs) {
      found = runs;
    }
    set(leased);
    if (ended) {
      end();
    }
  }

  @Override
  public void giveBack(SequenceBlock values) {
    RunSubscription own = found;
    if (own != null) {
      own.giveBack(values);
    }
  }

  @Override
  public void end() {
    ended = true; // before it looks, as the one who finds a subscription looks at this after that
    RunSubscription own = found;
    if (own != null) {
      own.end();
    }
  }

  private void giveUp() {
    LiveGenerator leased = lease;
    if (leased == null) {
      return;
    }
    try {
      if (leased == made) {
        leased.opened(); // others use it now
      }
    } finally {
      leased.release();
    }
  }

  private void pass() {
    if (isCancelled()) {
      giveUp();
    } else if (refusal == null) {
      use(Objects.requireNonNull(lease));
    } else if (subscribed) {
      actual.onError(Operators.onOperatorError(refusal, actual.currentContext()));
    } else {
      refuse(actual, refusal);
    }
  }

  private void use(LiveGenerator leased) {
    if (leased == made) {
      try {
        leased.opened();
      } catch (Throwable atTheEndOfTheStack) {
        leased.release();
        throw atTheEndOfTheStack;
      }
    }
    lessee.use(leased, actual, subscribed ? this : null);
  }

  /** Tells a subscriber without a subscription that it gets no generator. */
  static void refuse(CoreSubscriber<?> actual, Throwable error) {
    Operators.error(actual, Operators.onOperatorError(error, actual.currentContext()));
  }
}
