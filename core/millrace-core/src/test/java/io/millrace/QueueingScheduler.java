package io.millrace;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/** A scheduler whose tasks run when the test says so, and whose delays never end. */
public class QueueingScheduler implements Scheduler {

  public final Deque<Runnable> tasks = new ArrayDeque<>();
  public final List<Disposable> delays = new ArrayList<>();

  public void runNext() {
    tasks.remove().run();
  }

  @Override
  public Disposable schedule(Runnable task) {
    tasks.add(task);
    return Disposables.single();
  }

  @Override
  public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
    Disposable added = Disposables.single();
    delays.add(added);
    return added;
  }

  @Override
  public Worker createWorker() {
    throw new UnsupportedOperationException("no worker is needed");
  }
}
