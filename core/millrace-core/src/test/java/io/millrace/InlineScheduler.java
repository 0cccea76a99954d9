package io.millrace;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/**
 * A scheduler without threads: a task runs on the thread that schedules it, a delayed one on the
 * thread that moves the clock on.
 */
public class InlineScheduler implements Scheduler {

  private final AtomicLong nanos = new AtomicLong();
  private final Queue<Delayed> delayed = new ConcurrentLinkedQueue<>();

  /** Moves the clock on, and runs what is due by then. */
  public void advance(long by) {
    long now = nanos.addAndGet(by);
    for (Delayed each : List.copyOf(delayed)) {
      if (each.due <= now && delayed.remove(each) && !each.cancelled.isDisposed()) {
        each.task.run();
      }
    }
  }

  /** How many delayed tasks have neither run nor been cancelled. */
  public int timers() {
    return (int) delayed.stream().filter(each -> !each.cancelled.isDisposed()).count();
  }

  @Override
  public Disposable schedule(Runnable task) {
    task.run();
    return Disposables.disposed();
  }

  @Override
  public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
    Delayed added = new Delayed(task, nanos.get() + unit.toNanos(delay), Disposables.single());
    delayed.add(added);
    return added.cancelled;
  }

  @Override
  public long now(TimeUnit unit) {
    return unit.convert(nanos.get(), TimeUnit.NANOSECONDS);
  }

  @Override
  public Worker createWorker() {
    return new Worker() {
      @Override
      public Disposable schedule(Runnable task) {
        return InlineScheduler.this.schedule(task);
      }

      @Override
      public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
        return InlineScheduler.this.schedule(task, delay, unit);
      }

      @Override
      public void dispose() {}
    };
  }

  private record Delayed(Runnable task, long due, Disposable cancelled) {}
}
