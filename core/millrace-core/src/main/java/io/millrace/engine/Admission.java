package io.millrace.engine;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Consumer;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/**
 * The admission of one request to the store: of a reservation, or of a release.
 *
 * <p><b>Invariant.</b> A request is admitted or withdrawn, never both. An admitted request ends
 * once, even if {@link #end} is called more often. So a {@link Bulkhead} that counts permits gets
 * each one back exactly once. The request must call {@link #end}, whatever its outcome.
 */
final class Admission implements Disposable {

  private static final int WAITING = 0;
  private static final int ADMITTED = 1;
  private static final int RUNNING = 2;
  private static final int ENDED = 3;

  private static final AtomicIntegerFieldUpdater<Admission> STATE =
      AtomicIntegerFieldUpdater.newUpdater(Admission.class, "state");

  private final Bulkhead bulkhead;
  private final Scheduler scheduler;
  private final Consumer<Admission> request;

  private volatile int state = WAITING;

  /** For a request of a generator that has this scheduler. */
  Admission(Bulkhead bulkhead, Scheduler scheduler, Consumer<Admission> request) {
    this.bulkhead = bulkhead;
    this.scheduler = scheduler;
    this.request = request;
  }

  /** Waits for admission, and then runs. */
  void take() {
    bulkhead.enter(this);
  }

  boolean isWaiting() {
    return state == WAITING;
  }

  /** Admits the request; false if it was withdrawn. Called by the bulkhead, which then runs it. */
  boolean admit() {
    return STATE.compareAndSet(this, WAITING, ADMITTED);
  }

  /**
   * Runs the request on the generator's scheduler, so that no thread-local of this thread reaches
   * the store.
   */
  void runElsewhere() {
    try {
      scheduler.schedule(this::run);
    } catch (RuntimeException refused) {
      run(); // otherwise the permit would be lost
    }
  }

  /** Runs the request once. */
  void run() {
    if (STATE.compareAndSet(this, ADMITTED, RUNNING)) {
      request.accept(this);
    }
  }

  /** Ends the request and returns its permit. */
  void end() {
    if (STATE.compareAndSet(this, RUNNING, ENDED)) {
      bulkhead.ended();
    }
  }

  /** Withdraws the request if it was not admitted yet. */
  @Override
  public void dispose() {
    if (STATE.compareAndSet(this, WAITING, ENDED)) {
      bulkhead.withdrawn();
    }
  }
}
