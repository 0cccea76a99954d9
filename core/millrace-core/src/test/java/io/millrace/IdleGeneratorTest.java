package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.test.InMemorySequenceStore;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** What a generator that nobody uses at the moment holds on to. */
class IdleGeneratorTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final List<WeakReference<Disposable>> tasks = new ArrayList<>();

  /** Runs each task at once, and keeps a delayed one until its delay passes or it forgets it. */
  private final class Forgetful implements Scheduler {

    private final List<Runnable> delayed = new ArrayList<>();

    @Override
    public Disposable schedule(Runnable task) {
      task.run();
      Disposable run = Disposables.single();
      tasks.add(new WeakReference<>(run));
      return run;
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
      Disposable timer = Disposables.composite(() -> delayed.remove(task));
      tasks.add(new WeakReference<>(timer));
      delayed.add(task);
      return timer;
    }

    void passDelays() {
      for (Runnable due : List.copyOf(delayed)) {
        due.run();
      }
      delayed.clear();
    }

    void forgetDelays() {
      delayed.clear();
    }

    @Override
    public Worker createWorker() {
      return Schedulers.immediate().createWorker();
    }
  }

  @Test
  void itKeepsNoTaskThatItScheduled() {
    Forgetful scheduler = new Forgetful();
    SequenceGenerator generator =
        SequenceGenerator.builder(InMemorySequenceStore.withSequence("orders", 1), "orders")
            .scheduler(scheduler)
            .build();

    assertThat(generator.next().block(LIMIT)).isEqualTo(1);

    assertThat(tasks).as("a reservation and the timers").hasSizeGreaterThanOrEqualTo(2);
    scheduler.forgetDelays(); // from here on only the generator could keep a task
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(tasks).allMatch(task -> task.get() == null);
            });
    assertThat(generator.next().block(LIMIT)).as("still in use").isEqualTo(2);
  }

  @Test
  void itKeepsNoDelayThatHasPassed() {
    Forgetful scheduler = new Forgetful();
    SequenceGenerator generator =
        SequenceGenerator.builder(InMemorySequenceStore.create(), "absent")
            .scheduler(scheduler)
            .build();

    assertThatThrownBy(() -> generator.next().block(LIMIT))
        .isInstanceOf(SequenceNotFoundException.class);
    scheduler.passDelays();

    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(tasks).isNotEmpty().allMatch(task -> task.get() == null);
            });
    assertThat(generator.isDisposed()).as("still in use").isFalse();
  }
}
