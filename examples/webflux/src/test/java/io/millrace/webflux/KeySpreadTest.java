package io.millrace.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class KeySpreadTest {

  private static List<Integer> after(KeySpread spread, long first, long last) {
    LongStream.rangeClosed(first, last).forEach(spread::add);
    return spread.counts();
  }

  @Test
  void numbersThatAreCountedUpAreInOnePart() {
    List<Integer> counts = after(KeySpread.plain(), 1, 1_000);
    assertThat(counts.get(0)).isEqualTo(1_000);
    assertThat(counts.stream().mapToInt(count -> count).sum()).isEqualTo(1_000);
  }

  @Test
  void theSameNumbersReversedAreInAllPartsAlike() {
    assertThat(after(KeySpread.reversed(), 64, 127)).hasSize(64).containsOnly(1);
  }

  @Test
  void theSameNumbersBehindAShardAreInAllParts() {
    assertThat(after(KeySpread.sharded(), 1, 2_000)).hasSize(64).doesNotContain(0);
  }

  @Test
  void onlyTheLastRowsCount() {
    KeySpread spread = KeySpread.plain();
    after(spread, 1, 10_000);
    List<Integer> counts = after(spread, Long.MAX_VALUE - 99, Long.MAX_VALUE - 1);
    assertThat(counts.get(0)).isEqualTo(4_096 - 99);
    assertThat(counts.get(63)).isEqualTo(99);
  }
}
