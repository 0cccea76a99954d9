package io.millrace;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Consumer;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/**
 * One request's turn at the store: a reservation's or a give-back's.
 *
 * <p><b>Invariant.</b> A turn is admitted or given up, never both, and one that was admitted ends
 * once, however often it is told to; so a {@link Turnstile} that counts gets each permit back, and
 * none twice. Whoever is run has to call {@link #end}, whatever comes of its request.
 */
final class Turn implements Disposable {

  private static final int WAITING = 0;
  private static final int ADMITTED = 1;
  private static final int RUNNING = 2;
  private static final int OVER = 3;

  private static final AtomicIntegerFieldUpdater<Turn> STATE =
      AtomicIntegerFieldUpdater.newUpdater(Turn.class, "state");

  private final Turnstile turnstile;
  private final Scheduler scheduler;
  private final Consumer<Turn> request;

  private volatile int state = WAITING;

  /** A turn of a generator that has this scheduler. */
  Turn(Turnstile turnstile, Scheduler scheduler, Consumer<Turn> request) {
    this.turnstile = turnstile;
    this.scheduler = scheduler;
    this.request = request;
  }

  /** Waits for admission, and then runs. */
  void take() {
    turnstile.enter(this);
  }

  boolean isWaiting() {
    return state == WAITING;
  }

  /** Admits the turn; false if it was given up. Called by the turnstile, which then runs it. */
  boolean admit() {
    return STATE.compareAndSet(this, WAITING, ADMITTED);
  }

  /** Runs on the generator's scheduler, so that nothing of this thread reaches the store. */
  void runElsewhere() {
    if (!hasScheduled(this::run)) {
      run(); // a permit that nobody uses would be lost to all
    }
  }

  /** Has the generator's scheduler do something; false if it refuses. */
  boolean hasScheduled(Runnable task) {
    try {
      scheduler.schedule(task);
      return true;
    } catch (Throwable refused) {
      return false;
    }
  }

  /** Runs the request, once: a scheduler may run it and throw what it threw, as if it refused. */
  void run() {
    if (!STATE.compareAndSet(this, ADMITTED, RUNNING)) {
      return;
    }
    try {
      request.accept(this);
    } catch (Throwable thrown) {
      end();
      throw thrown;
    }
  }

  /** Lets the next one in. */
  void end() {
    if (STATE.compareAndSet(this, RUNNING, OVER) || STATE.compareAndSet(this, ADMITTED, OVER)) {
      turnstile.left();
    }
  }

  /** Gives the turn up, if it was not admitted yet. */
  @Override
  public void dispose() {
    if (STATE.compareAndSet(this, WAITING, OVER)) {
      turnstile.gaveUp();
    }
  }
}
