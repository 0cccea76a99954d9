package io.millrace.internal;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

/**
 * A view of a scheduler that runs every task it accepts, unless only the executor beneath the
 * scheduler is shut down. Reactor's schedulers drop their tasks when they are disposed, and {@code
 * Schedulers.shutdownNow()} disposes all shared ones; a subscriber that depends on a dropped task
 * would wait forever.
 *
 * <p>Here such a task runs within about a second, on a thread of the JDK, even if its delay has not
 * passed. What it schedules is rejected. So a timeout comes early, and an attempt ends with the
 * rejection.
 *
 * <p><b>Invariant.</b> A task that was accepted and has neither started nor been cancelled is in
 * {@link #PENDING}, and while that holds tasks, the next {@link #look} is due.
 */
public final class ReliableScheduler implements Scheduler {

  /** The parallel scheduler at the time of each call. */
  public static final Scheduler PARALLEL = new ReliableScheduler(Schedulers::parallel);

  private static final Set<Task> PENDING = ConcurrentHashMap.newKeySet();
  private static final AtomicBoolean LOOK_IS_DUE = new AtomicBoolean();

  private final Supplier<Scheduler> source;

  private ReliableScheduler(Supplier<Scheduler> source) {
    this.source = source;
  }

  /** A view of a scheduler. */
  public static Scheduler of(Scheduler scheduler) {
    return scheduler instanceof ReliableScheduler
        ? scheduler
        : new ReliableScheduler(() -> scheduler);
  }

  /**
   * Completes on a thread of a scheduler. Unlike with {@code subscribeOn}, a cancel does not
   * interrupt that thread.
   */
  public static Mono<Void> threadOf(Scheduler scheduler) {
    return Mono.create(sink -> of(scheduler).schedule(sink::success));
  }

  private static final class Task implements Runnable, Disposable {

    private final Scheduler scheduler;
    private final Disposable.Swap accepted = Disposables.swap();

    /** Null once it has started or is cancelled. */
    private final AtomicReference<@Nullable Runnable> work;

    Task(Scheduler scheduler, Runnable work) {
      this.scheduler = scheduler;
      this.work = new AtomicReference<>(work);
    }

    private @Nullable Runnable take() {
      Runnable mine = work.getAndSet(null);
      if (mine != null) {
        PENDING.remove(this);
      }
      return mine;
    }

    @Override
    public void run() {
      Runnable mine = take();
      if (mine != null) {
        mine.run();
      }
    }

    @Override
    public void dispose() {
      if (take() != null) {
        accepted.dispose();
      }
    }

    @Override
    public boolean isDisposed() {
      return work.get() == null;
    }
  }

  private Disposable submit(Runnable work, BiFunction<Scheduler, Runnable, Disposable> schedule) {
    Scheduler scheduler = source.get();
    Task task = new Task(scheduler, work);
    PENDING.add(task);
    ensureLook();
    try {
      task.accepted.update(schedule.apply(scheduler, task));
    } catch (RejectedExecutionException refused) {
      if (task.take() != null) { // else a look has run it
        throw refused;
      }
    }
    return task;
  }

  private static void ensureLook() {
    if (LOOK_IS_DUE.compareAndSet(false, true)) {
      CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS).execute(ReliableScheduler::look);
    }
  }

  /** Runs the tasks whose scheduler was disposed. */
  private static void look() {
    LOOK_IS_DUE.set(false);
    if (!PENDING.isEmpty()) {
      ensureLook();
    }
    for (Task task : PENDING) {
      if (task.scheduler.isDisposed()) {
        try {
          task.run();
        } catch (RuntimeException thrown) {
          Operators.onErrorDropped(thrown, Context.empty());
        }
      }
    }
  }

  @Override
  public Disposable schedule(Runnable task) {
    return submit(task, Scheduler::schedule);
  }

  @Override
  public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
    return submit(task, (scheduler, accepted) -> scheduler.schedule(accepted, delay, unit));
  }

  @Override
  public Worker createWorker() {
    throw new UnsupportedOperationException("use threadOf instead of subscribeOn");
  }

  @Override
  public long now(TimeUnit unit) {
    return source.get().now(unit);
  }

  @Override
  public boolean isDisposed() {
    return source.get().isDisposed();
  }

  @Override
  public String toString() {
    return source.get().toString();
  }
}
