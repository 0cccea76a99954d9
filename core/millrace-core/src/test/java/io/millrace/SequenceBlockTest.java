package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SequenceBlockTest {

  private static final long MAX = Long.MAX_VALUE;
  private static final long MIN = Long.MIN_VALUE;

  private static List<Long> valuesOf(SequenceBlock block) {
    return LongStream.range(0, block.size()).mapToObj(block::valueAt).toList();
  }

  @Test
  void aRunHasConsecutiveValues() {
    SequenceBlock block = SequenceBlock.of(3, 4);
    assertThat(valuesOf(block)).containsExactly(3L, 4L, 5L, 6L);
    assertThat(block.first()).isEqualTo(3);
    assertThat(block.last()).isEqualTo(6);
    assertThat(block.size()).isEqualTo(4);
    assertThat(block.isRun()).isTrue();
    assertThat(block).hasToString("[3..6]");
    assertThatThrownBy(() -> block.valueAt(4)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> block.valueAt(-1)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void aPartOfARunIsARun() {
    SequenceBlock block = SequenceBlock.of(3, 4);
    assertThat(block.slice(1, 3)).isEqualTo(SequenceBlock.of(4, 2));
    assertThat(block.slice(0, 4)).isEqualTo(block);
    assertThatThrownBy(() -> block.slice(2, 2)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> block.slice(0, 5)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void blocksAreEqualIfTheyHaveTheSameValuesInTheSameForm() {
    assertThat(SequenceBlock.of(3, 2))
        .isEqualTo(SequenceBlock.of(3, 2))
        .hasSameHashCodeAs(SequenceBlock.of(3, 2))
        .isNotEqualTo(SequenceBlock.of(3, 3))
        .isNotEqualTo(SequenceBlock.of(4, 2))
        .isNotEqualTo(SequenceBlock.ofValues(3, 4));
    assertThat(SequenceBlock.ofValues(3).isRun()).isFalse();
    assertThat(SequenceBlock.ofValues(3, 9, 4).slice(1, 3))
        .isEqualTo(SequenceBlock.ofValues(9, 4))
        .hasToString("[9, 4]");
  }

  @ParameterizedTest
  @CsvSource({
    "9223372036854775807, 1",
    "9223372036854775806, 2",
    "1, 9223372036854775807",
    "-9223372036854775808, 9223372036854775807"
  })
  void aRunMayReachTheLargestValue(long first, long size) {
    SequenceBlock block = SequenceBlock.of(first, size);
    assertThat(block.valueAt(0)).isEqualTo(first);
    assertThat(block.last()).isGreaterThanOrEqualTo(first).isEqualTo(first + (size - 1));
  }

  @ParameterizedTest
  @CsvSource({"9223372036854775807, 2", "2, 9223372036854775807"})
  void aRunThatEndsAboveTheLargestValueIsRefused(long first, long size) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SequenceBlock.of(first, size))
        .withMessageContaining("of " + size + " values from " + first)
        .withMessageContaining("" + MAX);
  }

  @Test
  void aBlockHasAValue() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SequenceBlock.of(1, 0))
        .withMessageContaining("was 0");
    assertThatIllegalArgumentException()
        .isThrownBy(SequenceBlock::ofValues)
        .withMessageContaining("was 0");
  }

  @ParameterizedTest
  @CsvSource({"2, ''", "3, '3'", "4, '3 4'", "5, '3 4 5'", "99, '3 4 5'"})
  void whatIsUpToALimitIsKept(long limit, String kept) {
    assertThat(upTo(SequenceBlock.of(3, 3), limit)).isEqualTo(kept);
    assertThat(upTo(SequenceBlock.ofValues(3, 4, 5), limit)).isEqualTo(kept);
  }

  @Test
  void explicitValuesUpToALimitAreKeptWhereverTheyStand() {
    assertThat(upTo(SequenceBlock.ofValues(50, 3, 70, 4), 49)).isEqualTo("3 4");
    assertThat(SequenceBlock.of(MIN, MAX).upTo(MIN + 1))
        .as("a run over half of all numbers")
        .isEqualTo(SequenceBlock.of(MIN, 2));
    SequenceBlock block = SequenceBlock.of(3, 4);
    assertThat(block.upTo(6)).isSameAs(block);
  }

  private static String upTo(SequenceBlock block, long limit) {
    SequenceBlock part = block.upTo(limit);
    return part == null
        ? ""
        : String.join(" ", valuesOf(part).stream().map(Objects::toString).toList());
  }
}
