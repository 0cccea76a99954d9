package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SequenceStateTest {

  @Test
  void aReservationObtainsTheNextValuesAndTheCounterStandsBehindThem() {
    SequenceState state = new SequenceState("orders", -3);

    assertThat(state.block(5)).isEqualTo(SequenceBlock.of(-3, 5));
    assertThat(state.advance(5)).isEqualTo(new SequenceState("orders", 2));
  }

  @Test
  void theLastValueOfASequenceIsTheLargestLongButOne() {
    SequenceState state = new SequenceState("orders", Long.MAX_VALUE - 10);

    assertThat(state.block(10).last()).isEqualTo(SequenceState.LARGEST_VALUE);
    assertThat(state.advance(10).nextValue()).isEqualTo(Long.MAX_VALUE);
    assertThatThrownBy(() -> state.advance(10).block(1))
        .isInstanceOf(SequenceExhaustedException.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {11, Long.MAX_VALUE})
  void valuesThatDoNotFitAreRefusedWithTheLimit(long size) {
    SequenceState state = new SequenceState("orders", Long.MAX_VALUE - 10);

    assertThatThrownBy(() -> state.block(size))
        .asInstanceOf(type(SequenceExhaustedException.class))
        .satisfies(
            exhausted -> {
              assertThat(exhausted.sequence()).isEqualTo("orders");
              assertThat(exhausted.nextValue()).isEqualTo(Long.MAX_VALUE - 10);
              assertThat(exhausted.limit()).isEqualTo(SequenceState.LARGEST_VALUE);
            });
    assertThatThrownBy(() -> state.advance(size)).isInstanceOf(SequenceExhaustedException.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void aReservationOfNothingIsRefused(long size) {
    SequenceState state = new SequenceState("orders", 1);

    assertThatThrownBy(() -> state.block(size))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least 1 value, was " + size);
    assertThatThrownBy(() -> state.advance(size)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aSequenceMayStartWithTheLargestValueAndNotAboveIt() {
    assertThat(SequenceState.starting("orders", SequenceState.LARGEST_VALUE).nextValue())
        .isEqualTo(SequenceState.LARGEST_VALUE);
    assertThatThrownBy(() -> SequenceState.starting("orders", Long.MAX_VALUE))
        .isInstanceOf(SequenceExhaustedException.class);
  }
}
