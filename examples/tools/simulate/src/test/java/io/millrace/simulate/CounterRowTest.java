package io.millrace.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

class CounterRowTest {

  /** Twenty instances come, five are served, and five more come. */
  private static List<Integer> served(IntUnaryOperator next) {
    CounterRow row = new CounterRow(next);
    List<Integer> served = new ArrayList<>();
    assertThat(row.enter(0, 0)).isTrue();
    for (int instance = 1; instance < 20; instance++) {
      assertThat(row.enter(instance, 0)).isFalse();
    }
    for (int i = 0; i < 5; i++) {
      served.add(row.leave(0));
    }
    for (int instance = 20; instance < 25; instance++) {
      assertThat(row.enter(instance, 0)).isFalse();
    }
    for (int next1 = row.leave(0); next1 >= 0; next1 = row.leave(0)) {
      served.add(next1);
    }
    return served;
  }

  @Test
  void theFirstInLineIsServedFirst() {
    List<Integer> expected = new ArrayList<>();
    for (int instance = 1; instance < 25; instance++) {
      expected.add(instance);
    }
    assertThat(served(waiting -> 0)).isEqualTo(expected);
  }

  @Test
  void whoeverIsDrawnIsServedAndNobodyTwice() {
    List<Integer> served = served(waiting -> waiting - 1);
    assertThat(served).startsWith(19).hasSize(24).doesNotHaveDuplicates().doesNotContain(0);
  }

  @Test
  void timeIsCountedWhileTheLockIsHeldAndForEachWhoIsThere() {
    CounterRow row = new CounterRow(waiting -> 0);
    row.enter(1, 10);
    row.enter(2, 13);
    row.leave(15);
    row.leave(18);
    row.count(100);
    assertThat(row.heldNanos()).isEqualTo(8);
    assertThat(row.presentNanos()).isEqualTo(5 + 5);
  }
}
