package io.millrace;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/** A scheduler that takes no task, as one that is shut down. */
public final class RefusingScheduler implements Scheduler {

  private final Supplier<? extends Throwable> failure;

  public RefusingScheduler() {
    this(RejectedExecutionException::new);
  }

  /** One that throws something else. */
  public RefusingScheduler(Supplier<? extends Throwable> failure) {
    this.failure = failure;
  }

  @Override
  public Disposable schedule(Runnable task) {
    throw RefusingScheduler.<RuntimeException>sneaky(failure.get());
  }

  @Override
  public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
    return schedule(task);
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> E sneaky(Throwable thrown) throws E {
    throw (E) thrown;
  }

  @Override
  public Worker createWorker() {
    throw new UnsupportedOperationException("no worker is needed");
  }
}
