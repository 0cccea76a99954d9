package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.engine.GeneratorConfig.Backoff;
import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BackoffTest {

  private static final Duration MIN = Duration.ofMillis(10);

  @Test
  void theDelayDoublesWithEachFailureUpToItsLimit() {
    Backoff backoff = new Backoff(MIN, Duration.ofMillis(70), 0, 3);
    assertThat(LongStream.rangeClosed(1, 5).map(n -> backoff.delayNanos((int) n) / 1_000_000))
        .containsExactly(10L, 20L, 40L, 70L, 70L);
    assertThat(backoff.delayNanos(Integer.MAX_VALUE)).isEqualTo(70_000_000);
  }

  @Test
  void theDelayIsSpreadByItsJitterToBothSides() {
    Backoff backoff = new Backoff(MIN, Duration.ofHours(1), 0.5, 3);
    long[] delays = LongStream.range(0, 2_000).map(n -> backoff.delayNanos(8)).sorted().toArray();
    long middle = MIN.toNanos() << 7;
    assertThat(delays[0]).isBetween(middle / 2, middle * 6 / 10);
    assertThat(delays[delays.length - 1]).isBetween(middle * 14 / 10, middle * 3 / 2);
  }

  @Test
  void aSpreadDelayStaysWithinTheLimits() {
    Backoff backoff = new Backoff(MIN, MIN.multipliedBy(2), 1, 3);
    for (int i = 0; i < 2_000; i++) {
      assertThat(backoff.delayNanos(1 + i % 3)).isBetween(MIN.toNanos(), 2 * MIN.toNanos());
    }
  }
}
