package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceState;
import org.junit.jupiter.api.Test;

class ExpectedValueTest {

  private final ExpectedValue expected = new ExpectedValue();
  private long next = 1;

  private static SequenceState at(long value) {
    return new SequenceState("orders", value);
  }

  /** A call that begins where the one before it ended. */
  private void take() {
    expected.taken(at(next), at(++next));
  }

  private int callsUntilExpected() {
    for (int calls = 0; ; calls++) {
      if (expected.get() != null) {
        return calls;
      }
      take();
    }
  }

  @Test
  void aValueIsExpectedWhenACallBeganWhereTheOneBeforeItHadEnded() {
    assertThat(expected.get()).isNull();
    expected.taken(at(1), at(4));
    assertThat(expected.get()).isNull();
    expected.taken(at(4), at(5));
    assertThat(expected.get()).isEqualTo(at(5));
    expected.confirmed(at(9));
    assertThat(expected.get()).isEqualTo(at(9));
  }

  @Test
  void noValueIsExpectedWhileOthersMoveTheCounterBetweenTheCalls() {
    for (int call = 0; call < 10; call++) {
      expected.taken(at(10 * call), at(10 * call + 1));
      assertThat(expected.get()).isNull();
    }
  }

  @Test
  void theRequiredRunOfCallsDoublesAfterAMissAndHalvesAfterAHit() {
    take();
    assertThat(callsUntilExpected()).isEqualTo(1);
    for (int calls : new int[] {2, 4, 8, 16, 32, 64, 128, 256, 512, 1_000, 1_000}) {
      expected.failed();
      assertThat(callsUntilExpected()).isEqualTo(calls);
    }
    expected.confirmed(at(++next));
    assertThat(callsUntilExpected()).as("after one that was right").isZero();
    expected.failed();
    assertThat(callsUntilExpected()).isEqualTo(1_000);
  }

  @Test
  void theCounterOfAnotherNameIsNotExpected() {
    take();
    take();
    expected.taken(new SequenceState("orders_2027", next), new SequenceState("orders_2027", 9));
    assertThat(expected.get()).isNull();
  }
}
