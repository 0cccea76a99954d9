package io.millrace.perf;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LatenciesTest {

  @Test
  void aFewNanosecondsAreNotPrintedAsNone() {
    assertThat(Latencies.millis(300)).isEqualTo("0.000300");
    assertThat(Latencies.millis(12_345)).isEqualTo("0.012");
  }
}
