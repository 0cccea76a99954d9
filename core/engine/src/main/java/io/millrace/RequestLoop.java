package io.millrace;

import io.millrace.internal.DroppedErrors;
import io.millrace.internal.StackRoom;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.BooleanSupplier;
import reactor.core.scheduler.Scheduler;

/**
 * Serves requests, first come, first served. One thread at a time runs the loop. The other threads
 * count their entry in {@link #work} and return.
 *
 * <p>Within the loop runs only the code of the requests, which must not call users' code. What
 * follows from their decisions runs {@linkplain #afterwards}, when the thread has left the loop. A
 * thread also leaves the loop after {@link #STEPS} steps, and the scheduler continues. So the work
 * of a caller's thread depends neither on the number of requests nor on the progress of other
 * threads.
 */
final class RequestLoop {

  private static final AtomicIntegerFieldUpdater<RequestLoop> WORK =
      AtomicIntegerFieldUpdater.newUpdater(RequestLoop.class, "work");

  /** How many steps of the loop one thread takes in a row. */
  static final int STEPS = 256;

  /** Each request is called, once a step, until it returns true. */
  private final Queue<BooleanSupplier> requests = new ConcurrentLinkedQueue<>();

  /** The tasks to run outside the loop. */
  private final Queue<Runnable> outbox = new ConcurrentLinkedQueue<>();

  private final Scheduler scheduler;
  private final BooleanSupplier priorityTask;

  /** Above 0 while a thread runs the loop. */
  private volatile int work;

  /**
   * Creates a loop without requests.
   *
   * @param scheduler continues the loop when a thread has left it early
   * @param priorityTask called at the start of each step. The step serves a request only if this
   *     returns false: it had nothing to do
   */
  RequestLoop(Scheduler scheduler, BooleanSupplier priorityTask) {
    this.scheduler = scheduler;
    this.priorityTask = priorityTask;
  }

  /** Runs a task when the thread has left the loop. Called by requests. */
  void afterwards(Runnable task) {
    outbox.add(task);
  }

  /** Adds a request. This thread serves it, or the thread that runs the loop, or the scheduler. */
  void submit(BooleanSupplier request) {
    requests.add(request);
    run();
  }

  /**
   * Enters the loop, or counts the entry for the thread that runs it. A thread without stack fails
   * before its entry counts, so that it cannot lose the entries that others count meanwhile.
   */
  void run() {
    if (work == 0) {
      StackRoom.forDraining(); // else also a scheduler could overflow, and be broken for all
    }
    while (WORK.getAndIncrement(this) == 0) {
      boolean finished = false;
      try {
        finished = runLoop();
      } catch (Throwable thrown) {
        if (!continueOnScheduler()) {
          throw thrown;
        }
        finished = true;
      }
      runOutbox();
      if (finished || continueOnScheduler()) {
        return;
      }
    }
  }

  /** Returns false if there may be more to do, and no thread is about to do it. */
  private boolean runLoop() {
    int missed = 1;
    try {
      for (int steps = 0; steps < STEPS; steps++) {
        if (!priorityTask.getAsBoolean() && !serve()) {
          missed = WORK.addAndGet(this, -missed);
          if (missed == 0) {
            return true;
          }
        }
      }
      return false;
    } finally {
      if (missed != 0) {
        work = 0; // a plain write: a call could overflow the stack
      }
    }
  }

  private boolean continueOnScheduler() {
    try {
      scheduler.schedule(this::run);
      return true;
    } catch (Throwable refused) {
      return false;
    }
  }

  /** Runs the tasks. Each may throw anything, and the others still run. */
  private void runOutbox() {
    for (Runnable next = outbox.poll(); next != null; next = outbox.poll()) {
      try {
        next.run();
      } catch (Throwable thrown) {
        DroppedErrors.report(thrown);
      }
    }
  }

  /** Calls the oldest request. Returns false if there is none. */
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
