package io.millrace;

import io.millrace.internal.DroppedErrors;
import io.millrace.internal.StackRoom;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * Lets so many requests run at a time, first come, first served, without a blocked thread.
 *
 * <p><b>Invariant.</b> {@link #free} is the number of permits less the number of requests admitted
 * and not ended; only the drain loop lowers it. One thread at a time runs that loop, the others
 * count their entry in {@link #work} and leave. A request runs on a scheduler; in the loop only if
 * that refuses it.
 */
final class ReservationBulkhead implements Bulkhead {

  private static final AtomicIntegerFieldUpdater<ReservationBulkhead> WORK =
      AtomicIntegerFieldUpdater.newUpdater(ReservationBulkhead.class, "work");

  /** With fewer requests given up than this, the queue is not searched for them. */
  private static final int TOLERATED_GIVEN_UP = 64;

  private final Queue<Admission> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger free;

  /** Above 0 while a thread runs the drain loop. */
  private volatile int work;

  /** About how many in the queue were given up. */
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
  public void left() {
    free.incrementAndGet();
    drain();
  }

  @Override
  public void gaveUp() {
    if (givenUp.incrementAndGet() > TOLERATED_GIVEN_UP) {
      drain();
    }
  }

  private void drain() {
    if (WORK.getAndIncrement(this) != 0) {
      return;
    }
    try {
      StackRoom.forDraining();
      int missed = 1;
      do {
        if (givenUp.get() > TOLERATED_GIVEN_UP) {
          givenUp.set(0);
          waiting.removeIf(admission -> !admission.isWaiting());
        }
        admit();
        missed = WORK.addAndGet(this, -missed);
      } while (missed != 0);
    } catch (Throwable atTheEndOfItsStack) {
      work = 0;
      Admission first = waiting.peek();
      if (first != null && !first.hasScheduled(this::drain)) {
        throw atTheEndOfItsStack; // whoever comes next goes on
      }
    }
  }

  private void admit() {
    while (free.get() > 0) {
      Admission admission = waiting.poll();
      if (admission == null) {
        return;
      }
      if (admission.admit()) {
        free.decrementAndGet();
        run(admission);
      }
    }
  }

  /** What one request throws is no reason for the others to wait. */
  private static void run(Admission admission) {
    try {
      admission.runElsewhere();
    } catch (Throwable thrown) {
      DroppedErrors.report(thrown);
    }
  }

  /** For tests: how many more may run now. */
  int free() {
    return free.get();
  }

  /** For tests: how many the queue holds, those who gave up among them. */
  int queueLength() {
    return waiting.size();
  }
}
