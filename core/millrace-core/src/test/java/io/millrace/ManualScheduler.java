package io.millrace;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/**
 * A scheduler without threads: tasks wait in a queue until the test runs them, and its clock stands
 * still until the test moves it on.
 */
public final class ManualScheduler implements Scheduler {

  private record Task(Runnable work, long due, Disposable cancelled) {}

  private final Deque<Task> queue = new ArrayDeque<>();
  private final List<Task> delayed = new ArrayList<>();
  private long nanos;

  /** Whether no task waits, apart from delayed ones. */
  public boolean isQuiet() {
    return queue.isEmpty();
  }

  /** How many tasks wait, apart from delayed ones. */
  public int queued() {
    return queue.size();
  }

  /** Runs the next task, if there is one. */
  public void runNext() {
    Task next = queue.poll();
    if (next != null && !next.cancelled.isDisposed()) {
      next.work.run();
    }
  }

  /** Runs tasks until none waits. */
  public void runAll() {
    while (!queue.isEmpty()) {
      runNext();
    }
  }

  /** Moves the clock on. What becomes due is queued in the order of its time. */
  public void advance(long by) {
    nanos += by;
    delayed.removeIf(task -> task.cancelled.isDisposed());
    List<Task> due = new ArrayList<>(delayed.stream().filter(task -> task.due <= nanos).toList());
    delayed.removeAll(due);
    due.sort(Comparator.comparingLong(Task::due));
    queue.addAll(due);
  }

  public long nanos() {
    return nanos;
  }

  @Override
  public Disposable schedule(Runnable task) {
    Task added = new Task(task, nanos, Disposables.single());
    queue.add(added);
    return added.cancelled;
  }

  @Override
  public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
    if (delay <= 0) {
      return schedule(task);
    }
    Task added = new Task(task, nanos + unit.toNanos(delay), Disposables.single());
    delayed.add(added);
    return added.cancelled;
  }

  @Override
  public long now(TimeUnit unit) {
    return unit.convert(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public Worker createWorker() {
    Disposable.Composite tasks = Disposables.composite();
    return new Worker() {
      @Override
      public Disposable schedule(Runnable task) {
        Disposable scheduled = ManualScheduler.this.schedule(task);
        tasks.add(scheduled);
        return scheduled;
      }

      @Override
      public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
        Disposable scheduled = ManualScheduler.this.schedule(task, delay, unit);
        tasks.add(scheduled);
        return scheduled;
      }

      @Override
      public void dispose() {
        tasks.dispose();
      }
    };
  }
}
