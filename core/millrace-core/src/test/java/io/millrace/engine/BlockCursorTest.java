package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceBlock;
import org.junit.jupiter.api.Test;

class BlockCursorTest {

  @Test
  void aSpentBlockStaysSpentAfterLargeClaims() {
    BlockCursor block = new BlockCursor(SequenceBlock.of(1, 10), 0);
    block.claim(10);

    for (int i = 0; i < 10; i++) {
      assertThat(block.claim(Long.MAX_VALUE / 2)).isEqualTo(-1);
    }
    block.seal();
    for (int i = 0; i < 10; i++) {
      assertThat(block.claim(Long.MAX_VALUE / 2)).isEqualTo(-1);
    }
  }

  @Test
  void isAtTheWatermarkUnlessALongEnoughBlockFollows() {
    BlockCursor block = new BlockCursor(SequenceBlock.of(1, 10), 5);
    assertThat(block.isAtWatermark(4)).isFalse();
    assertThat(block.isAtWatermark(5)).isTrue();

    block.next = new BlockCursor(SequenceBlock.of(11, 10), 5);
    assertThat(block.isAtWatermark(5)).isFalse();

    block.next = new BlockCursor(SequenceBlock.of(11, 5), 5);
    assertThat(block.isAtWatermark(5)).isTrue();
  }

  @Test
  void claimsInVainLeaveNothingToPutBackAndNothingLeft() {
    BlockCursor block = new BlockCursor(SequenceBlock.of(1, 10), 0);
    assertThat(block.claim(256)).isZero();

    assertThat(block.claim(1)).isEqualTo(-1);

    assertThat(block.left()).isZero();
    assertThat(block.putBack(4, 256)).as("another has claimed since").isFalse();
    assertThat(block.sealIfSpent()).isTrue();
    assertThat(block.claim(1)).isEqualTo(-1);
  }
}
