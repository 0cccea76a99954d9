package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** A subscriber that keeps the thread which delivers to it, and those who wait behind it. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a guard against hanging
class HeldUpLoopTest {

  @Test
  void acquireTimeoutEndsAWaitThoughASubscriberHoldsTheLoopUp() throws Exception {
    InMemorySequenceStore store = InMemorySequenceStore.withSequence("s", 1);
    store.latency(Duration.ofMillis(1));
    Scheduler scheduler = Schedulers.newParallel("held-up", 3);
    CountDownLatch holding = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try {
      SequenceGenerator generator =
          SequenceGenerator.builder(store, "s")
              .batchSize(1)
              .acquireTimeout(Duration.ofMillis(200))
              .scheduler(scheduler)
              .build();
      generator
          .next()
          .retry() // the first value may be late, too
          .subscribe(
              value -> {
                holding.countDown();
                awaitUninterrupted(goOn);
              });
      assertThat(holding.await(60, TimeUnit.SECONDS)).isTrue();

      StepVerifier.create(generator.next())
          .expectError(SequenceTimeoutException.class)
          .verify(Duration.ofSeconds(60));
    } finally {
      goOn.countDown();
      scheduler.dispose();
    }
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
