package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.SequenceBlock;
import io.millrace.SequenceStoreException;
import org.junit.jupiter.api.Test;

/** Which values belong to one that the database returned, and which sequences are refused. */
class NativeDefinitionTest {

  private static NativeDefinition by(long increment) {
    return new NativeDefinition(increment, 1, Long.MAX_VALUE, 1, false);
  }

  private static SequenceBlock from(long first, long last) {
    return SequenceBlock.of(first, last - first + 1);
  }

  @Test
  void aPooledValueIsTheLastOfItsBlock() {
    assertThat(by(50).block(51, 50, false)).isEqualTo(from(2, 51));
    assertThat(by(50).block(101, 50, false)).isEqualTo(from(52, 101));
    assertThat(by(1).block(7, 1, false)).isEqualTo(from(7, 7));
  }

  @Test
  void theFirstPooledValueOfASequenceIsABlockOfItsOwn() {
    assertThat(by(50).block(1, 50, false)).isEqualTo(from(1, 1));
    assertThat(new NativeDefinition(50, 1, 10_000, 1_000, false).block(1_000, 50, false))
        .isEqualTo(from(1_000, 1_000));
  }

  @Test
  void aPooledBlockDoesNotBeginBelowTheSmallestValue() {
    assertThat(new NativeDefinition(50, 1, 10_000, 1_000, false).block(20, 50, false))
        .isEqualTo(from(1, 20));
    assertThat(new NativeDefinition(50, Long.MIN_VALUE, 0, -5, false).block(-70, 50, false))
        .isEqualTo(from(-119, -70));
  }

  @Test
  void aPooledLoValueIsTheFirstOfItsBlock() {
    assertThat(by(50).block(1, 50, true)).isEqualTo(from(1, 50));
    assertThat(by(50).block(51, 50, true)).isEqualTo(from(51, 100));
    assertThat(by(1).block(7, 1, true)).isEqualTo(from(7, 7));
  }

  @Test
  void aPooledLoBlockDoesNotEndAboveTheLargestValue() {
    assertThat(new NativeDefinition(50, 1, 2_147_483_647, 1, false).block(2_147_483_601, 50, true))
        .isEqualTo(from(2_147_483_601, 2_147_483_647));
    assertThat(by(50).block(Long.MAX_VALUE - 1, 50, true))
        .isEqualTo(from(Long.MAX_VALUE - 1, Long.MAX_VALUE));
  }

  @Test
  void theValueAfterTheLastIsBehindEverySequence() {
    assertThat(by(50).after(51)).isEqualTo(101);
    assertThat(new NativeDefinition(50, 1, 100, 1, false).after(51)).isEqualTo(Long.MAX_VALUE);
    assertThat(by(50).after(Long.MAX_VALUE - 20)).isEqualTo(Long.MAX_VALUE);
    assertThat(new NativeDefinition(50, Long.MIN_VALUE, Long.MAX_VALUE, 1, false).after(-100))
        .isEqualTo(-50);
  }

  @Test
  void aSequenceThatWouldIssueValuesTwiceIsRefused() {
    for (long increment : new long[] {0, -1, -50}) {
      assertThatThrownBy(() -> by(increment).checked("ids"))
          .isInstanceOf(SequenceStoreException.class)
          .hasMessageContaining("INCREMENT BY " + increment);
    }
    assertThatThrownBy(() -> new NativeDefinition(1, 1, 10, 1, true).checked("ids"))
        .isInstanceOf(SequenceStoreException.class)
        .hasMessageContaining("CYCLE");
  }
}
