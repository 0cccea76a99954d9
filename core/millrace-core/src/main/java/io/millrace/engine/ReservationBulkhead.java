package io.millrace.engine;

import io.millrace.internal.SerialDrain;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Bounds how many requests run at a time, first come, first served, without blocking a thread.
 *
 * <p><b>Invariant.</b> {@link #free} is the number of permits less the number of requests admitted
 * and not ended; only the drain loop lowers it. A request runs on a scheduler, or in the loop if
 * the scheduler refuses it.
 */
final class ReservationBulkhead extends SerialDrain implements Bulkhead {

  /** The queue is swept only when more than this many entries are withdrawn. */
  private static final int TOLERATED_GIVEN_UP = 64;

  private final Queue<Admission> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger free;

  /** Approximately how many entries in the queue are withdrawn. */
  private final AtomicInteger givenUp = new AtomicInteger();

  ReservationBulkhead(int permits) {
    this.free = new AtomicInteger(permits);
  }

  @Override
  public void enter(Admission admission) {
    waiting.add(admission);
    drain();
  }

  @Override
  public void ended() {
    free.incrementAndGet();
    drain();
  }

  @Override
  public void withdrawn() {
    if (givenUp.incrementAndGet() > TOLERATED_GIVEN_UP) {
      drain();
    }
  }

  @Override
  protected void drainOnce() {
    if (givenUp.get() > TOLERATED_GIVEN_UP) {
      givenUp.set(0);
      waiting.removeIf(admission -> !admission.isWaiting());
    }
    admit();
  }

  private void admit() {
    while (free.get() > 0) {
      Admission admission = waiting.poll();
      if (admission == null) {
        return;
      }
      if (admission.admit()) {
        free.decrementAndGet();
        admission.runElsewhere();
      }
    }
  }

  /** For tests: how many more may run now. */
  int free() {
    return free.get();
  }

  /** For tests: how many entries the queue holds, withdrawn ones included. */
  int queueLength() {
    return waiting.size();
  }
}
