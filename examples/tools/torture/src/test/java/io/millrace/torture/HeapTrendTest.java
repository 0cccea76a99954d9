package io.millrace.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

class HeapTrendTest {

  private static final int MEGABYTE = 1 << 20;

  private static HeapTrend sampled(DoubleUnaryOperator megabytesAtMinute) {
    HeapTrend heap = new HeapTrend();
    for (int minute = 0; minute < 30; minute++) {
      heap.add(minute, (long) (megabytesAtMinute.applyAsDouble(minute) * MEGABYTE));
    }
    return heap;
  }

  @Test
  void aLeakIsFoundBelowNoise() {
    SplittableRandom random = new SplittableRandom(1);
    HeapTrend heap = sampled(minute -> 40 + 0.25 * minute + random.nextDouble(-0.5, 0.5));

    assertThat(heap.line().perMinute()).isCloseTo(0.25, within(0.05));
    assertThat(heap.grows()).isTrue();
  }

  @Test
  void noiseIsNoLeak() {
    SplittableRandom random = new SplittableRandom(2);

    assertThat(sampled(minute -> 40 + random.nextDouble(-3, 3)).grows()).isFalse();
  }

  @Test
  void whatIsFilledAtTheStartIsNoLeak() {
    assertThat(sampled(minute -> Math.min(40, 20 + 3 * minute)).grows()).isFalse();
  }

  @Test
  void tooFewSamplesSayNothing() {
    HeapTrend heap = new HeapTrend();
    heap.add(1, MEGABYTE);

    assertThat(heap.isTooShort()).isTrue();
    assertThat(heap.grows()).isFalse();
    assertThat(heap).hasToString("too few samples of the heap: 1");
  }
}
