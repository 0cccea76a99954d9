package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.test.InMemorySequenceStore;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

/** What a snapshot says of an outage, and what checking options does not do. */
class FailingSnapshotTest {

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("s", 1);
  private final IOException down = new IOException("down");

  private final SequenceGenerator generator =
      SequenceGenerator.builder(store, "s")
          .blockSize(2)
          .backoff(Duration.ofSeconds(1), Duration.ofSeconds(1), 0, 2)
          .scheduler(time)
          .build();

  private void ask() {
    generator.next().subscribe(value -> {}, failure -> {});
    time.advanceTimeBy(Duration.ofMillis(1));
  }

  @Test
  void itFailsUntilAnAttemptSucceeds() {
    store.startOutage(down);
    ask();
    assertThat(generator.snapshot().lastFailure()).isSameAs(down);
    assertThat(generator.snapshot().failing()).isTrue();

    store.endOutage();
    time.advanceTimeBy(Duration.ofSeconds(1));
    assertThat(generator.snapshot().lastFailure()).isNull();
    assertThat(generator.snapshot().failing()).isFalse();
  }

  @Test
  void itDoesNotFailOnceTheDelayHasPassedAndNobodyWaits() {
    store.startOutage(down);
    ask();
    time.advanceTimeBy(Duration.ofMillis(1_500));
    assertThat(generator.snapshot().waiters()).as("they were told").isZero();
    assertThat(generator.snapshot().failing()).as("the next attempt is held back").isTrue();

    time.advanceTimeBy(Duration.ofSeconds(1));
    assertThat(generator.snapshot().failing()).isFalse();
    assertThat(generator.snapshot().lastFailure()).isSameAs(down);
    ask();
    assertThat(generator.snapshot().failing()).isTrue();
  }

  @Test
  void optionsAreCheckedWithoutTellingARecorderOfAGenerator() {
    AtomicInteger opened = new AtomicInteger();
    SequenceMetricsRecorder recorder =
        new SequenceMetricsRecorder() {
          @Override
          public void opened(SequenceGenerator generator) {
            opened.incrementAndGet();
          }
        };
    SequenceGenerators generators =
        SequenceGenerators.builder(store)
            .sequence("s", options -> options.metrics(recorder))
            .template("t", options -> options.metrics(recorder))
            .scheduler(time)
            .build();
    assertThat(opened).hasValue(0);
    generators.get("s").next().subscribe();
    assertThat(opened).hasValue(1);
  }
}
