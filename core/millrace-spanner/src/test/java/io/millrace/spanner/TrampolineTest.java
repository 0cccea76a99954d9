package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrampolineTest {

  private final List<String> calls = new ArrayList<>();

  private void call(String name, Runnable within) {
    Trampoline.run(
        () -> {
          calls.add(name + " begins");
          within.run();
          calls.add(name + " ends");
        });
  }

  @Test
  void aCallWithinAnotherRunsAfterIt() {
    call(
        "a",
        () -> {
          call("b", () -> call("d", () -> {}));
          call("c", () -> {});
        });
    assertThat(calls)
        .containsExactly(
            "a begins", "a ends", "b begins", "b ends", "c begins", "c ends", "d begins", "d ends");
  }

  @Test
  void callsOneAfterTheOtherRunAtOnce() {
    call("a", () -> {});
    assertThat(calls).hasSize(2);
    call("b", () -> {});
    assertThat(calls).hasSize(4);
  }

  @Test
  void aLongChainTakesNoStack() {
    int[] left = {1_000_000};
    Runnable[] chain = new Runnable[1];
    chain[0] =
        () -> {
          if (--left[0] > 0) {
            Trampoline.run(chain[0]);
          }
        };
    Trampoline.run(chain[0]);
    assertThat(left[0]).isZero();
  }
}
