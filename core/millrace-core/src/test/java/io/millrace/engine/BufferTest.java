package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Internals;
import io.millrace.SequenceBlock;
import io.millrace.SequenceGenerator;
import io.millrace.test.InMemorySequenceStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BufferTest {

  private final GeneratorConfig config =
      Internals.configOf(SequenceGenerator.builder(InMemorySequenceStore.create(), "orders"));
  private final Buffer buffer = new Buffer(config);
  private final Claim claim = new Claim();
  private final List<Long> seen = new ArrayList<>();
  private final Claim.ValueSink issued =
      new Claim.ValueSink() {
        @Override
        public boolean isOpen() {
          return true;
        }

        @Override
        public void accept(long value) {
          seen.add(value);
        }
      };

  @Test
  void aFragmentIsForgottenOnceItIsUsedUpAndSoLeavesTheFastPathOpen() {
    buffer.giveBack(SequenceBlock.of(5, 2));
    buffer.giveBack(SequenceBlock.of(1, 1));
    assertThat(buffer.hasFragments()).isTrue();

    for (int i = 0; i < 3; i++) {
      assertThat(new Claim()).satisfies(next -> assertThat(buffer.claim(next, 1)).isTrue());
    }
    assertThat(buffer.claim(claim, 1)).isFalse();

    assertThat(buffer.hasFragments()).isFalse();
    assertThat(buffer.buffered()).isZero();
  }

  @Test
  void noFragmentIsLeftWhenItIsClosed() {
    buffer.giveBack(SequenceBlock.of(5, 2));

    buffer.close();
    buffer.giveBack(SequenceBlock.of(1, 1));

    assertThat(buffer.hasFragments()).isFalse();
    assertThat(buffer.discarded()).isEqualTo(3);
  }

  /** A large claim does not move the cursor of an empty block, so only the seal protects it. */
  @Test
  void findsValuesGivenBackAfterALargeClaimHasMovedOn() {
    buffer.append(SequenceBlock.of(1, 300), 0);
    buffer.append(SequenceBlock.of(301, 300), 0);
    assertThat(buffer.claim(claim, 300)).isTrue();

    assertThat(buffer.claim(new Claim(), 257)).as("of the next block").isTrue();
    claim.giveBack(buffer);

    assertThat(buffer.buffered()).isEqualTo(300 + 43);
  }

  @Test
  void theEndOfAFragmentIsClaimedThoughItsBeginningWasTooLow() {
    BlockCursor five = new BlockCursor(SequenceBlock.of(5, 1), 0);
    claim.hold(five, 0, 1);
    claim.issueTo(issued);
    buffer.giveBack(SequenceBlock.of(4, 5));
    assertThat(buffer.claim(new Claim(), 2)).as("4 and 5").isTrue();

    assertThat(buffer.claim(claim, 1)).isTrue();
    claim.issueTo(issued);
    assertThat(seen).containsExactly(5L, 6L);
  }
}
