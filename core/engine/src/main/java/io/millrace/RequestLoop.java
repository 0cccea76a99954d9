package io.millrace;

import io.millrace.internal.DroppedErrors;
import io.millrace.internal.StackRoom;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.BooleanSupplier;
import reactor.core.scheduler.Scheduler;

/**
 * Serves requests first come, first served. One thread at a time runs the loop, the others count
 * their entry in {@link #work} and leave.
 *
 * <p>The loop runs no code but the requests' own, which call nobody else: what they decide is done
 * {@linkplain #afterwards}, when the thread has left the loop. A thread leaves it after {@link
 * #STEPS} steps, too, and the scheduler goes on. So what a caller's thread does depends neither on
 * the number of requests nor on the progress of other threads.
 */
final class RequestLoop {

  private static final AtomicIntegerFieldUpdater<RequestLoop> WORK =
      AtomicIntegerFieldUpdater.newUpdater(RequestLoop.class, "work");

  /** How many steps of the loop one thread takes in a row. */
  static final int STEPS = 256;

  /** Each is called again and again until it returns true. */
  private final Queue<BooleanSupplier> requests = new ConcurrentLinkedQueue<>();

  /** What is to be done outside the loop. */
  private final Queue<Runnable> outbox = new ConcurrentLinkedQueue<>();

  private final Scheduler scheduler;
  private final BooleanSupplier before;

  /** Above 0 while a thread runs the loop. */
  private volatile int work;

  /**
   * A loop without requests.
   *
   * @param scheduler goes on where a thread leaves
   * @param before called before each step of a request; does what comes first, and returns false
   *     when there is nothing of that
   */
  RequestLoop(Scheduler scheduler, BooleanSupplier before) {
    this.scheduler = scheduler;
    this.before = before;
  }

  /** Has something done when the thread has left the loop. Called by requests. */
  void afterwards(Runnable task) {
    outbox.add(task);
  }

  /** Puts a request in line, and has it served by this thread or another. */
  void ask(BooleanSupplier request) {
    requests.add(request);
    run();
  }

  /** Enters the loop, or counts the entry for the thread that runs it. */
  void run() {
    while (WORK.getAndIncrement(this) == 0) {
      boolean finished = false;
      try {
        finished = runLoop();
      } catch (Throwable atTheEndOfItsStack) {
        if (!goOnElsewhere()) {
          throw atTheEndOfItsStack;
        }
        finished = true;
      }
      emptyOutbox();
      if (finished || goOnElsewhere()) {
        return;
      }
    }
  }

  /** Returns false if there may be more to do, and nobody is about to do it. */
  private boolean runLoop() {
    int missed = 1;
    try {
      StackRoom.forDraining();
      for (int steps = 0; steps < STEPS; steps++) {
        if (!before.getAsBoolean() && !serve()) {
          missed = WORK.addAndGet(this, -missed);
          if (missed == 0) {
            return true;
          }
        }
      }
      return false;
    } finally {
      if (missed != 0) {
        work = 0; // no call, which would fail at the end of a stack
      }
    }
  }

  private boolean goOnElsewhere() {
    try {
      scheduler.schedule(this::run);
      return true;
    } catch (Throwable refused) {
      return false;
    }
  }

  /** Does what was put off. Anything may be thrown here, and nothing may be left. */
  private void emptyOutbox() {
    for (Runnable next = outbox.poll(); next != null; next = outbox.poll()) {
      try {
        next.run();
      } catch (Throwable thrown) {
        DroppedErrors.tell(thrown);
      }
    }
  }

  /** Goes on with the first request; false if there is none. */
  private boolean serve() {
    BooleanSupplier request = requests.peek();
    if (request == null) {
      return false;
    }
    if (request.getAsBoolean()) {
      requests.poll();
    }
    return true;
  }
}
