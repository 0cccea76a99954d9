package io.millrace.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RunProgressTest {

  /** 2,000 iterations, 10 seconds. */
  private static long share(int done, long millis) {
    return RunProgress.share(Samples.WORKLOAD, done, Duration.ofMillis(millis));
  }

  @Test
  void aRunIsAsFarAsItsIterationsOrItsTime() {
    assertThat(share(0, 0)).isZero();
    assertThat(share(500, 0)).isEqualTo(250);
    assertThat(share(2, 9_000)).isEqualTo(900);
    assertThat(share(1_900, 9_000)).isEqualTo(950);
    assertThat(share(3, 11_000)).isEqualTo(1_000);
  }
}
