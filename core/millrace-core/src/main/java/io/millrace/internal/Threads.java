package io.millrace.internal;

import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** The threads of schedulers. */
public final class Threads {

  private Threads() {}

  /**
   * Completes on a thread of a scheduler. Unlike with {@code subscribeOn}, a cancel does not
   * interrupt that thread.
   */
  public static Mono<Void> of(Scheduler scheduler) {
    return Mono.create(sink -> scheduler.schedule(sink::success));
  }

  /**
   * Runs a task, which throws nothing, on a scheduler, or on this thread if the scheduler rejects
   * it.
   */
  public static void run(Scheduler scheduler, Runnable task) {
    try {
      scheduler.schedule(task);
    } catch (RuntimeException rejected) {
      task.run();
    }
  }
}
