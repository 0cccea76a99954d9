package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.test.InMemorySequenceStore;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** No timer holds on to a generator that is disposed. */
class ForgottenGeneratorTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration LONG = Duration.ofHours(1);

  private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1);
  private final Scheduler scheduler = Schedulers.fromExecutorService(executor);
  private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("s", 1);
  private final List<Throwable> errors = new ArrayList<>();

  ForgottenGeneratorTest() {
    executor.setRemoveOnCancelPolicy(true);
  }

  @AfterEach
  void tidyUp() {
    executor.shutdownNow();
  }

  @Test
  void aDisposedGeneratorLeavesNoTimerAndIsForgotten() {
    WeakReference<SequenceGenerator> disposed = disposedAfterAFailure();
    assertThat(executor.getQueue()).as("timers").isEmpty();
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              System.gc();
              return disposed.get() == null;
            });
  }

  private WeakReference<SequenceGenerator> disposedAfterAFailure() {
    store.failNextReservations(10, new IOException("on purpose"));
    SequenceGenerator generator = build();
    generator.next().subscribe(value -> {}, errors::add);
    await().atMost(LIMIT).until(() -> generator.snapshot().failing());
    assertThat(executor.getQueue()).as("the timers of the line and of the retry").hasSize(2);
    generator.disposeLater().block(LIMIT);
    assertThat(errors).hasSize(1).hasOnlyElementsOfType(SequenceDisposedException.class);
    return new WeakReference<>(generator);
  }

  @Test
  void aGeneratorDisposedWhileItHoldsLeavesNoTimer() {
    store.failNextReservations(10, new IllegalArgumentException("permanent"));
    SequenceGenerator generator = build();
    generator.next().subscribe(value -> {}, errors::add);
    await().atMost(LIMIT).until(() -> errors.size() == 1);
    generator.next().subscribe(value -> {}, errors::add);
    generator.disposeLater().block(LIMIT);
    await().atMost(LIMIT).until(() -> executor.getQueue().isEmpty());
  }

  private SequenceGenerator build() {
    return SequenceGenerator.builder(store, "s")
        .scheduler(scheduler)
        .acquireTimeout(LONG)
        .backoff(LONG, LONG, 0, 5)
        .build();
  }
}
