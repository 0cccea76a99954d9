package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** {@code next()} of a handle, while its generator is evicted. */
class NextByNameTest {

  private static final long LATENCY = 1_000;

  private final InlineScheduler time = new InlineScheduler();
  private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("s", 1);
  private final SequenceGenerators generators =
      SequenceGenerators.builder(store)
          .scheduler(time)
          .idleAfter(Duration.ZERO)
          .sequence("s", options -> options.scheduler(time).batchSize(3))
          .build();
  private final SequenceGenerator handle = generators.get("s");

  private void evict() {
    generators.get("s").dispose();
    assertThat(Internals.of(generators).held()).as("generators in use").isZero();
  }

  @Test
  void aSubscriptionThatHasRequestedNothingHoldsNothingAndTakesTheNextValueLater() {
    assertThat(Probe.of(handle.next(), 1).values).containsExactly(1L);
    Probe later = Probe.of(handle.next(), 0);
    evict();
    later.request(1);
    later.request(1);
    assertThat(later.values).containsExactly(2L);
    assertThat(later.terminations).isEqualTo(1);
    assertThat(Probe.of(handle.next(), 1).values).containsExactly(3L);
    evict();
  }

  @Test
  void aSubscriptionFailsOnceAllAreDisposed() {
    assertThat(Probe.of(handle.next(), 1).values).containsExactly(1L);
    Probe before = Probe.of(handle.next(), 0);
    generators.dispose();
    before.request(1);
    assertThat(before.error).isInstanceOf(SequenceDisposedException.class);
    assertThat(before.terminations).isEqualTo(1);
  }

  @Test
  void aSubscriptionThatWaitsKeepsTheGeneratorUntilItHasItsValue() {
    waitForAValue();
    Probe waiting = Probe.of(handle.next(), 1);
    assertInUse();
    time.advance(LATENCY);
    assertThat(waiting.values).containsExactly(4L);
    store.latency(Duration.ZERO);
    evict();
  }

  @Test
  void aSubscriptionThatIsCancelledLetsTheGeneratorGoWhenTheStoreHasAnswered() {
    waitForAValue();
    Probe waiting = Probe.of(handle.next(), 1);
    assertInUse();
    waiting.cancel();
    time.advance(LATENCY);
    generators.get("s").dispose();
    time.advance(LATENCY);
    assertThat(waiting.values).isEmpty();
    assertThat(Internals.of(generators).held()).isZero();
  }

  /** Uses the buffer up, and has the store take its time from now on. */
  private void waitForAValue() {
    for (long value = 1; value <= 3; value++) {
      assertThat(Probe.of(handle.next(), 1).values).containsExactly(value);
    }
    store.latency(Duration.ofNanos(LATENCY), time);
  }

  private void assertInUse() {
    generators.get("s").dispose();
    assertThat(generators.snapshots()).as("generators not retired").hasSize(1);
  }
}
