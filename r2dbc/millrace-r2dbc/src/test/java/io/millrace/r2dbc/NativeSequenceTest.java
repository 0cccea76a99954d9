package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.SequenceBlock;
import io.millrace.SequenceStoreException;
import io.millrace.r2dbc.NativeSequence.Definition;
import org.junit.jupiter.api.Test;

/** Which values belong to one that the database returned, and which sequences are refused. */
class NativeSequenceTest {

  private static Definition by(long increment) {
    return new Definition(increment, 1, Long.MAX_VALUE, 1, false);
  }

  private static SequenceBlock from(long first, long last) {
    return SequenceBlock.of(first, last - first + 1);
  }

  @Test
  void aPooledValueIsTheLastOfItsBlock() {
    assertThat(by(50).block(51, false)).isEqualTo(from(2, 51));
    assertThat(by(50).block(101, false)).isEqualTo(from(52, 101));
    assertThat(by(1).block(7, false)).isEqualTo(from(7, 7));
  }

  @Test
  void theFirstPooledValueOfASequenceIsABlockOfItsOwn() {
    assertThat(by(50).block(1, false)).isEqualTo(from(1, 1));
    assertThat(new Definition(50, 1, 10_000, 1_000, false).block(1_000, false))
        .isEqualTo(from(1_000, 1_000));
  }

  @Test
  void aPooledBlockDoesNotBeginBelowTheSmallestValue() {
    assertThat(new Definition(50, 1, 10_000, 1_000, false).block(20, false)).isEqualTo(from(1, 20));
    assertThat(new Definition(50, Long.MIN_VALUE, 0, -5, false).block(-70, false))
        .isEqualTo(from(-119, -70));
  }

  @Test
  void aPooledLoValueIsTheFirstOfItsBlock() {
    assertThat(by(50).block(1, true)).isEqualTo(from(1, 50));
    assertThat(by(50).block(51, true)).isEqualTo(from(51, 100));
    assertThat(by(1).block(7, true)).isEqualTo(from(7, 7));
  }

  @Test
  void aPooledLoBlockDoesNotEndAboveTheLargestValue() {
    assertThat(new Definition(50, 1, 2_147_483_647, 1, false).block(2_147_483_601, true))
        .isEqualTo(from(2_147_483_601, 2_147_483_647));
    assertThat(by(50).block(Long.MAX_VALUE - 1, true))
        .isEqualTo(from(Long.MAX_VALUE - 1, Long.MAX_VALUE));
  }

  @Test
  void theValueAfterTheLastIsBehindEverySequence() {
    assertThat(by(50).after(51)).isEqualTo(101);
    assertThat(new Definition(50, 1, 100, 1, false).after(51)).isEqualTo(Long.MAX_VALUE);
    assertThat(by(50).after(Long.MAX_VALUE - 20)).isEqualTo(Long.MAX_VALUE);
    assertThat(new Definition(50, Long.MIN_VALUE, Long.MAX_VALUE, 1, false).after(-100))
        .isEqualTo(-50);
  }

  @Test
  void aSequenceThatWouldIssueValuesTwiceIsRefused() {
    for (long increment : new long[] {0, -1, -50}) {
      assertThatThrownBy(() -> by(increment).checked("ids"))
          .isInstanceOf(SequenceStoreException.class)
          .hasMessageContaining("INCREMENT BY " + increment);
    }
    assertThatThrownBy(() -> new Definition(1, 1, 10, 1, true).checked("ids"))
        .isInstanceOf(SequenceStoreException.class)
        .hasMessageContaining("CYCLE");
  }
}
