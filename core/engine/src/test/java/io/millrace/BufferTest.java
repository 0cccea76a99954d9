package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.test.InMemorySequenceStore;
import org.junit.jupiter.api.Test;

class BufferTest {

  private final GeneratorConfig config =
      SequenceGenerator.builder(InMemorySequenceStore.create(), "orders").config();
  private final Buffer buffer = new Buffer(config, new BatchSizes(10, 10, 0, null));
  private final Claim claim = new Claim();

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
  void whatIsGivenBackAfterALargeClaimHasMovedOnIsFound() {
    buffer.append(SequenceBlock.of(1, 300));
    buffer.append(SequenceBlock.of(301, 300));
    assertThat(buffer.claim(claim, 300)).isTrue();

    assertThat(buffer.claim(new Claim(), 257)).as("of the next block").isTrue();
    claim.giveBack(buffer);

    assertThat(buffer.buffered()).isEqualTo(300 + 43);
  }
}
