package io.millrace;

import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/**
 * Runs tasks on another scheduler, except those with a delay of a second or more, which never run:
 * no timer rescues a subscriber that was forgotten.
 */
final class ShortDelays implements Scheduler {

  private final Scheduler target;

  ShortDelays(Scheduler target) {
    this.target = target;
  }

  @Override
  public Disposable schedule(Runnable task) {
    return target.schedule(task);
  }

  @Override
  public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
    return unit.toSeconds(delay) > 0 ? Disposables.single() : target.schedule(task, delay, unit);
  }

  @Override
  public long now(TimeUnit unit) {
    return target.now(unit);
  }

  @Override
  public Worker createWorker() {
    return target.createWorker();
  }
}
