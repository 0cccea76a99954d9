package io.millrace;

import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** A scheduler that a test shuts down: Reactor's default one, or one of its own. */
public enum DyingClock {
  DEFAULT {
    @Override
    public Scheduler open() {
      outside = Schedulers.setFactoryWithSnapshot(new Schedulers.Factory() {});
      return Schedulers.parallel();
    }

    @Override
    public void shutDown(Scheduler opened) {
      Schedulers.shutdownNow();
    }

    @Override
    public void close() {
      Schedulers.resetFrom(outside);
    }
  },
  OWN {
    @Override
    public Scheduler open() {
      return Schedulers.newParallel("own", 1);
    }

    @Override
    public void shutDown(Scheduler opened) {
      opened.dispose();
    }

    @Override
    public void close() {}
  };

  /** The schedulers of the other tests. */
  private static Schedulers.@Nullable Snapshot outside;

  /** Makes the scheduler. */
  public abstract Scheduler open();

  /** Shuts the scheduler down with its tasks. */
  public abstract void shutDown(Scheduler opened);

  /** Ends the use of what {@link #open} made. */
  public abstract void close();
}
