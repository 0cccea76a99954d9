package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.SequenceBlock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClaimTest {

  private final Claim claim = new Claim();

  @Test
  void issuesARunThatEndsAtTheLargestLong() {
    hold(SequenceBlock.of(Long.MAX_VALUE - 2, 3), 0, 3);

    Taker taker = new Taker(10);

    assertThat(claim.issueTo(taker)).isEqualTo(3);
    assertThat(taker.values)
        .containsExactly(Long.MAX_VALUE - 2, Long.MAX_VALUE - 1, Long.MAX_VALUE);
    assertThat(claim.rises(Long.MAX_VALUE)).isFalse();
    assertThat(claim.issueTo(taker)).as("again").isZero();
  }

  @Test
  void issuesNoValueBeyondTheBlockAlthoughItClaimedMore() {
    hold(SequenceBlock.of(100, 5), 3, 256);

    Taker taker = new Taker(10);

    assertThat(claim.issueTo(taker)).isEqualTo(2);
    assertThat(taker.values).containsExactly(103L, 104L);
  }

  @Test
  void keepsWhatTheSinkDoesNotTakeForTheNextTime() {
    for (SequenceBlock block :
        List.of(SequenceBlock.of(7, 4), SequenceBlock.ofValues(new long[] {9, 3, 12, 1}))) {
      hold(block, 0, 4);
      Taker first = new Taker(1);
      Taker nothing = new Taker(0);
      Taker rest = new Taker(10);

      assertThat(claim.issueTo(first)).isEqualTo(1);
      assertThat(claim.issueTo(nothing)).isZero();
      assertThat(claim.rises(block.valueAt(0))).isFalse();
      assertThat(claim.rises(block.valueAt(0) + 1)).isTrue();
      assertThat(claim.issueTo(rest)).isEqualTo(3);

      assertThat(first.values).containsExactly(block.valueAt(0));
      assertThat(rest.values).containsExactly(block.valueAt(1), block.valueAt(2), block.valueAt(3));
      assertThat(claim.rises(block.valueAt(3))).isFalse();
    }
  }

  @Test
  void aValueThatASinkThrewAtCountsAsIssuedAndTheRestStaysHeld() {
    for (SequenceBlock block :
        List.of(SequenceBlock.of(7, 6), SequenceBlock.ofValues(new long[] {1, 3, 9, 12, 15, 20}))) {
      hold(block, 1, 5);
      assertThatThrownBy(() -> claim.issueTo(new ThrowingTaker(3))).hasMessage("on purpose");
      assertThat(claim.isHolding()).isTrue();
      assertThat(claim.rises(block.valueAt(3))).isFalse();
      assertThat(claim.rises(block.valueAt(3) + 1)).isTrue();

      Taker rest = new Taker(10);
      assertThat(claim.issueTo(rest)).isEqualTo(2);
      assertThat(rest.values).containsExactly(block.valueAt(4), block.valueAt(5));
      assertThat(claim.isHolding()).isFalse();

      hold(block, 0, 2);
      assertThatThrownBy(() -> claim.issueTo(new ThrowingTaker(2))).hasMessage("on purpose");
      assertThat(claim.isHolding()).as("after a throw at the last value").isFalse();
    }
  }

  @Test
  void aClaimKnowsWhetherItReachedTheWatermark() {
    assertThat(claim.isAtWatermark()).as("with nothing held").isFalse();
    BlockCursor block = new BlockCursor(SequenceBlock.of(1, 10), 4);
    claim.hold(block, 0, 5);
    assertThat(claim.isAtWatermark()).isFalse();
    claim.hold(block, 0, 6);
    assertThat(claim.isAtWatermark()).isTrue();
  }

  private void hold(SequenceBlock values, long at, long count) {
    BlockCursor block = new BlockCursor(values, 0);
    block.claim(at);
    assertThat(block.claim(count)).isEqualTo(at);
    claim.hold(block, at, count);
  }

  private static final class Taker implements Claim.ValueSink {

    private final List<Long> values = new ArrayList<>();
    private final int most;

    Taker(int most) {
      this.most = most;
    }

    @Override
    public boolean isOpen() {
      return values.size() < most;
    }

    @Override
    public void accept(long value) {
      values.add(value);
    }
  }

  private static final class ThrowingTaker implements Claim.ValueSink {

    private int left;

    ThrowingTaker(int throwAt) {
      this.left = throwAt;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void accept(long value) {
      if (--left == 0) {
        throw new IllegalStateException("on purpose");
      }
    }
  }
}
