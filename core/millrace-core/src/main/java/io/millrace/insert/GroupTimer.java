package io.millrace.insert;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/** Wakes the drain loop when a group is due; at most one wake-up is set. Drain loop only. */
final class GroupTimer {

  private final Scheduler scheduler;
  private final Runnable drain;

  private @Nullable Disposable pending;

  /** Whether a wake-up is set and has not come. Written by the loop and by the scheduler. */
  private volatile boolean set;

  private boolean broken;

  GroupTimer(Scheduler scheduler, Runnable drain) {
    this.scheduler = scheduler;
    this.drain = drain;
  }

  long now() {
    return scheduler.now(TimeUnit.NANOSECONDS);
  }

  /** Whether a wake-up is set. It is for a group at least as old as any open one. */
  boolean isSet() {
    return set;
  }

  /** Sets a wake-up. Called only if none is set. */
  void wakeIn(long nanos) {
    if (broken) {
      return;
    }
    set = true; // it may come at once
    try {
      pending = scheduler.schedule(this::fire, Math.max(0, nanos), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException refused) {
      set = false;
      broken = true;
      drain.run(); // the loop runs once more, and finds that no group can wait
    }
  }

  private void fire() {
    set = false;
    drain.run();
  }

  /** Whether the scheduler refuses tasks, so that no group can wait until it is due. */
  boolean isBroken() {
    return broken;
  }

  void dispose() {
    set = false;
    if (pending != null) {
      pending.dispose();
      pending = null;
    }
  }
}
