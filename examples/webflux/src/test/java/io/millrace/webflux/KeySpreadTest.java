package io.millrace.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class KeySpreadTest {

  private static KeySpread.Counts after(KeySpread spread, long first, long last) {
    LongStream.rangeClosed(first, last).forEach(spread::add);
    return spread.counts();
  }

  @Test
  void consecutiveNumbersAreInOnePart() {
    assertThat(after(new KeySpread(), 1, 1_000).plain()).startsWith(1_000, 0, 0).hasSize(64);
  }

  @Test
  void reversedNumbersAreInAllPartsEqually() {
    assertThat(after(new KeySpread(), 64, 127).reversed()).hasSize(64).containsOnly(1);
  }

  @Test
  void shardedNumbersAreInAllParts() {
    assertThat(after(new KeySpread(), 1, 2_000).sharded()).hasSize(64).doesNotContain(0);
  }

  @Test
  void onlyTheLastRowsCount() {
    KeySpread spread = new KeySpread();
    after(spread, 1, 10_000);
    List<Integer> counts = after(spread, Long.MAX_VALUE - 99, Long.MAX_VALUE - 1).plain();
    assertThat(counts.get(0)).isEqualTo(4_096 - 99);
    assertThat(counts.get(63)).isEqualTo(99);
  }
}
