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
  void aStridedRunHasValuesOneStepApart() {
    SequenceBlock block = SequenceBlock.strided(3, 4, 10);
    assertThat(valuesOf(block)).containsExactly(3L, 13L, 23L, 33L);
    assertThat(block.first()).isEqualTo(3);
    assertThat(block.last()).isEqualTo(33);
    assertThat(block.size()).isEqualTo(4);
    assertThat(block.step()).isEqualTo(10);
    assertThat(block.isRun()).isFalse();
    assertThat(block).hasToString("[3..33 by 10]");
    assertThatThrownBy(() -> block.valueAt(4)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> block.valueAt(-1)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void aPartOfAStridedRunKeepsItsStep() {
    SequenceBlock block = SequenceBlock.strided(3, 4, 10);
    assertThat(block.slice(1, 3)).isEqualTo(SequenceBlock.strided(13, 2, 10));
    assertThat(block.slice(2, 3)).isEqualTo(SequenceBlock.of(23, 1));
    assertThat(block.slice(0, 4)).isEqualTo(block);
    assertThatThrownBy(() -> block.slice(2, 2)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> block.slice(0, 5)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void aStepOfOneAndASingleValueAreARun() {
    assertThat(SequenceBlock.strided(5, 3, 1))
        .isEqualTo(SequenceBlock.of(5, 3))
        .hasToString("[5..7]");
    assertThat(SequenceBlock.strided(5, 1, 99)).isEqualTo(SequenceBlock.of(5, 1));
    assertThat(SequenceBlock.strided(5, 1, 99).isRun()).isTrue();
    assertThat(SequenceBlock.of(5, 3).step()).isEqualTo(1);
  }

  @Test
  void blocksAreEqualIfTheyHaveTheSameValuesInTheSameForm() {
    SequenceBlock block = SequenceBlock.strided(3, 4, 10);
    assertThat(block)
        .isEqualTo(SequenceBlock.strided(3, 4, 10))
        .hasSameHashCodeAs(SequenceBlock.strided(3, 4, 10))
        .doesNotHaveSameHashCodeAs(SequenceBlock.strided(3, 4, 11))
        .isNotEqualTo(SequenceBlock.strided(3, 4, 11))
        .isNotEqualTo(SequenceBlock.strided(3, 5, 10))
        .isNotEqualTo(SequenceBlock.strided(4, 4, 10))
        .isNotEqualTo(SequenceBlock.of(3, 4))
        .isNotEqualTo(SequenceBlock.ofValues(3, 13, 23, 33));
    assertThat(SequenceBlock.ofValues(3).isRun()).isFalse();
    assertThat(SequenceBlock.ofValues(3, 4).step()).isZero();
    assertThat(SequenceBlock.ofValues(3, 9, 4).slice(1, 3))
        .isEqualTo(SequenceBlock.ofValues(9, 4))
        .hasToString("[9, 4]");
  }

  @ParameterizedTest
  @CsvSource({
    "9223372036854775807, 1, 9223372036854775807",
    "-1, 2, 9223372036854775807",
    "0, 2, 9223372036854775807",
    "-9223372036854775808, 3, 9223372036854775807",
    "9223372036854775797, 2, 10",
    "-9223372036854775808, 9223372036854775807, 2",
    "-9223372036854775808, 9223372036854775807, 1",
    "1, 9223372036854775807, 1"
  })
  void aStridedRunMayReachTheLargestValue(long first, long size, long step) {
    SequenceBlock block = SequenceBlock.strided(first, size, step);
    assertThat(block.valueAt(0)).isEqualTo(first);
    assertThat(block.last()).isGreaterThanOrEqualTo(first).isEqualTo(first + (size - 1) * step);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 2, 9223372036854775807",
    "-1, 3, 9223372036854775807",
    "9223372036854775798, 2, 10",
    "-9223372036854775808, 4, 9223372036854775807",
    "2, 9223372036854775807, 1",
    "0, 9223372036854775807, 2",
    "0, 9223372036854775807, 9223372036854775807"
  })
  void aStridedRunThatEndsAboveTheLargestValueIsRefused(long first, long size, long step) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SequenceBlock.strided(first, size, step))
        .withMessageContaining("of " + size + " values from " + first)
        .withMessageContaining("" + MAX);
  }

  @Test
  void aBlockHasAValueAndAStep() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SequenceBlock.strided(1, 0, 2))
        .withMessageContaining("was 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SequenceBlock.strided(1, 2, 0))
        .withMessageContaining("was 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SequenceBlock.strided(1, 2, -7))
        .withMessageContaining("was -7");
    assertThatIllegalArgumentException()
        .isThrownBy(SequenceBlock::ofValues)
        .withMessageContaining("was 0");
  }

  @ParameterizedTest
  @CsvSource({
    "2, ''",
    "3, '3'",
    "12, '3'",
    "13, '3 13'",
    "32, '3 13 23'",
    "33, '3 13 23 33'",
    "99, '3 13 23 33'"
  })
  void whatIsUpToALimitIsKept(long limit, String kept) {
    assertThat(upTo(SequenceBlock.strided(3, 4, 10), limit)).isEqualTo(kept);
    assertThat(upTo(SequenceBlock.ofValues(3, 13, 23, 33), limit)).isEqualTo(kept);
  }

  @Test
  void explicitValuesUpToALimitAreKeptWhereverTheyStand() {
    assertThat(upTo(SequenceBlock.ofValues(50, 3, 70, 4), 49)).isEqualTo("3 4");
    assertThat(upTo(SequenceBlock.strided(MIN, 3, MAX), 0))
        .as("a run over more than half of all numbers")
        .isEqualTo(MIN + " -1");
    SequenceBlock block = SequenceBlock.strided(3, 4, 10);
    assertThat(block.upTo(33)).isSameAs(block);
  }

  private static String upTo(SequenceBlock block, long limit) {
    SequenceBlock part = block.upTo(limit);
    return part == null
        ? ""
        : String.join(" ", valuesOf(part).stream().map(Objects::toString).toList());
  }
}
