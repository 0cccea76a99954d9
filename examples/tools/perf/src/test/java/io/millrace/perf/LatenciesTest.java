package io.millrace.perf;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LatenciesTest {

  @Test
  void givesPercentilesInMillisecondsWithMoreDigitsForShortTimes() {
    Latencies latencies = new Latencies();
    latencies.record(300);
    latencies.record(12_345_000);

    assertThat(latencies.millis(50)).isEqualTo("0.000300");
    assertThat(latencies.millis(99)).startsWith("12.3");
    assertThat(latencies.count()).isEqualTo(2);
  }

  @Test
  void limitsTimesToItsRange() {
    Latencies latencies = new Latencies();
    latencies.record(-1);
    latencies.record(Long.MAX_VALUE);

    assertThat(latencies.percentile(1)).isZero();
    assertThat(latencies.count()).isEqualTo(2);
  }
}
