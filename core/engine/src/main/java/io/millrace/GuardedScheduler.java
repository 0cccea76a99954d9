package io.millrace;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/**
 * Protects the generator from a scheduler that throws. A throw in place of taking a task counts as
 * a refusal. If the clock throws, its last time is used. Errors of the virtual machine, such as a
 * stack overflow, are passed on: they say nothing about the scheduler.
 */
final class GuardedScheduler implements Scheduler {

  private final Scheduler scheduler;

  /**
   * The last time that the clock returned, in nanoseconds. Written by any thread; a lost race does
   * no harm.
   */
  private volatile long latest;

  GuardedScheduler(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  @Override
  public Disposable schedule(Runnable task) {
    try {
      return scheduler.schedule(task);
    } catch (Throwable thrown) {
      throw refusal(thrown);
    }
  }

  @Override
  public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
    try {
      return scheduler.schedule(task, delay, unit);
    } catch (Throwable thrown) {
      throw refusal(thrown);
    }
  }

  private static RejectedExecutionException refusal(Throwable thrown) {
    if (thrown instanceof VirtualMachineError error) {
      throw error;
    }
    return thrown instanceof RejectedExecutionException refused
        ? refused
        : new RejectedExecutionException("the scheduler threw " + thrown, thrown);
  }

  /**
   * The time of day if the unit is milliseconds or longer, as with Reactor's own schedulers; else a
   * clock that does not move back.
   */
  @Override
  public long now(TimeUnit unit) {
    return unit.compareTo(TimeUnit.MILLISECONDS) < 0 ? ticks(unit) : timeOfDay(unit);
  }

  private long timeOfDay(TimeUnit unit) {
    try {
      return scheduler.now(unit);
    } catch (Throwable thrown) {
      return unit.convert(System.currentTimeMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private long ticks(TimeUnit unit) {
    long now;
    try {
      now = scheduler.now(TimeUnit.NANOSECONDS);
      latest = now;
    } catch (Throwable thrown) {
      now = latest;
    }
    return unit.convert(now, TimeUnit.NANOSECONDS);
  }

  /** Not guarded: Reactor's operators use it, and they guard their calls. */
  @Override
  public Worker createWorker() {
    return scheduler.createWorker();
  }

  @Override
  public boolean isDisposed() {
    return scheduler.isDisposed();
  }
}
