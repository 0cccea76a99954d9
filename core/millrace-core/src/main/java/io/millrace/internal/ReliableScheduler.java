package io.millrace.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
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

  private static final long SECONDS_BETWEEN_LOOKS = 1;

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

    /** Null once it has started or is cancelled. */
    private final AtomicReference<@Nullable Runnable> work;

    private final Disposable.Swap scheduled = Disposables.swap();

    Task(Scheduler scheduler, Runnable work) {
      this.scheduler = scheduler;
      this.work = new AtomicReference<>(work);
    }

    @Override
    public void run() {
      Runnable mine = work.getAndSet(null);
      if (mine != null) {
        forget(this);
        mine.run();
      }
    }

    @Override
    public void dispose() {
      if (work.getAndSet(null) != null) {
        forget(this);
        scheduled.dispose();
      }
    }

    @Override
    public boolean isDisposed() {
      return work.get() == null;
    }
  }

  private static Task submit(
      Scheduler scheduler, Runnable work, Function<Runnable, Disposable> accept) {
    Task task = new Task(scheduler, work);
    task.scheduled.update(accept.apply(task));
    if (!task.isDisposed()) {
      remember(task);
      if (task.isDisposed()) { // it may have been forgotten before
        forget(task);
      }
    }
    return task;
  }

  private static void remember(Task task) {
    PENDING.add(task);
    ensureLook();
  }

  private static void forget(Task task) {
    PENDING.remove(task);
  }

  private static void ensureLook() {
    if (LOOK_IS_DUE.compareAndSet(false, true)) {
      CompletableFuture.delayedExecutor(SECONDS_BETWEEN_LOOKS, TimeUnit.SECONDS, Runnable::run)
          .execute(ReliableScheduler::look);
    }
  }

  /** Looks for tasks whose scheduler was disposed. */
  private static void look() {
    LOOK_IS_DUE.set(false);
    List<Task> dropped = new ArrayList<>();
    for (Task task : PENDING) {
      if (task.scheduler.isDisposed()) {
        dropped.add(task);
      }
    }
    if (!dropped.isEmpty()) {
      CompletableFuture<?> unused =
          CompletableFuture.runAsync(() -> dropped.forEach(ReliableScheduler::runDropped));
    }
    if (!PENDING.isEmpty()) {
      ensureLook();
    }
  }

  private static void runDropped(Task task) {
    try {
      task.run();
    } catch (RuntimeException thrown) {
      Operators.onErrorDropped(thrown, Context.empty());
    }
  }

  @Override
  public Disposable schedule(Runnable task) {
    Scheduler scheduler = source.get();
    return submit(scheduler, task, scheduler::schedule);
  }

  @Override
  public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
    Scheduler scheduler = source.get();
    return submit(scheduler, task, accepted -> scheduler.schedule(accepted, delay, unit));
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
