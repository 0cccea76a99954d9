package io.millrace.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.EndOfStack;
import java.lang.invoke.MethodHandles;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The checks for room on the stack, made at each depth on the way back from its end. */
class StackRoomTest {

  private static final long STACK = 512 * 1_024;
  private static final int DEPTHS = 2_000;

  private static final Runnable[] CHECKS = {
    StackRoom::forLeaseEnd,
    StackRoom::forLeasing,
    StackRoom::forDraining,
    StackRoom::forWorkAndDraining
  };

  /** The number of depths at which each check found no room. */
  private static int[] refusals() throws InterruptedException {
    int[] refusals = new int[CHECKS.length];
    EndOfStack deep =
        EndOfStack.dive(
            STACK,
            DEPTHS,
            depth -> {
              for (int check = 0; check < CHECKS.length; check++) {
                try {
                  CHECKS[check].run();
                } catch (StackOverflowError noRoom) {
                  refusals[check]++;
                }
              }
            });
    deep.overflows();
    return refusals;
  }

  @Test
  void workThatNeedsMoreRoomIsRefusedFartherFromTheEndOfTheStack() throws InterruptedException {
    for (Runnable check : CHECKS) {
      assertThatCode(check::run).doesNotThrowAnyException(); // and it is initialized
    }
    int[] refusals = refusals();
    assertThat(refusals[0]).isPositive();
    assertThat(refusals).as(Arrays.toString(refusals)).isSorted().doesNotHaveDuplicates();
    assertThat(refusals[CHECKS.length - 1]).as("there is room higher up").isLessThan(DEPTHS);
  }

  @Test
  void aClassThatTheCallerCannotUseIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StackRoom.initialize(MethodHandles.publicLookup(), StackRoomTest.class));
    assertThatCode(() -> StackRoom.initialize(MethodHandles.lookup(), StackRoomTest.class))
        .doesNotThrowAnyException();
  }
}
