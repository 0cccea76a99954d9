package io.millrace;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Consumer;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/**
 * The admission of one request to the store: of a reservation, or of a release.
 *
 * <p><b>Invariant.</b> A request is admitted or given up, never both, and one that was admitted
 * ends once, however often it is told to; so a {@link Bulkhead} that counts gets each permit back,
 * and none twice. Whoever is run has to call {@link #end}, whatever comes of its request.
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

  /** Admits the request; false if it was given up. Called by the bulkhead, which then runs it. */
  boolean admit() {
    return STATE.compareAndSet(this, WAITING, ADMITTED);
  }

  /** Runs on the generator's scheduler, so that nothing of this thread reaches the store. */
  void runElsewhere() {
    if (!trySchedule(this::run)) {
      run(); // a permit that nobody uses would be lost to all
    }
  }

  /** Has the generator's scheduler do something; false if it refuses. */
  boolean trySchedule(Runnable task) {
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
    if (STATE.compareAndSet(this, RUNNING, ENDED) || STATE.compareAndSet(this, ADMITTED, ENDED)) {
      bulkhead.ended();
    }
  }

  /** Gives the request up, if it was not admitted yet. */
  @Override
  public void dispose() {
    if (STATE.compareAndSet(this, WAITING, ENDED)) {
      bulkhead.withdrawn();
    }
  }
}
