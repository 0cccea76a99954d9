package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What the errors tell a program: their figures, and whether trying again can help. */
class ErrorsTest {

  private static final Throwable CAUSE = new IllegalStateException("no connection");

  @Test
  void aTimeoutTellsItsTimeAndMayBeTriedAgain() {
    SequenceTimeoutException timeout =
        SequenceTimeoutException.acquire("s", Duration.ofSeconds(3), CAUSE);
    assertThat(timeout.timeout()).isEqualTo(Duration.ofSeconds(3));
    assertThat(timeout.isPermanent()).isFalse();
    assertThat(timeout).hasCause(CAUSE).hasMessageContaining("acquireTimeout of PT3S");
    assertThat(SequenceTimeoutException.acquire("s", Duration.ofSeconds(3), null))
        .hasMessageContaining("no reservation has failed");
  }

  @Test
  void aFullLineTellsItsLimitAndMayBeTriedAgain() {
    SequenceWaiterLimitException full = new SequenceWaiterLimitException("s", 5);
    assertThat(full.maxWaiters()).isEqualTo(5);
    assertThat(full.isPermanent()).isFalse();
    assertThat(full).hasMessageContaining("maxWaiters 5");
  }

  @Test
  void aCounterThatMovedBackTellsBothValues() {
    SequenceRegressionException back = new SequenceRegressionException("s", 900, 401);
    assertThat(back.highest()).isEqualTo(900);
    assertThat(back.offered()).isEqualTo(401);
    assertThat(back).hasMessageContaining("more than 900, got 401");
  }
}
