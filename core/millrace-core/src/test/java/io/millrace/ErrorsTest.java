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
  void aFailedReservationTellsItsAttemptsAndMayBeTriedAgain() {
    SequenceReservationException failure = new SequenceReservationException("s", 2, CAUSE);
    assertThat(failure.attempts()).isEqualTo(2);
    assertThat(failure.isPermanent()).isFalse();
    assertThat(failure).hasMessageContaining("in 2 attempts;");
    assertThat(new SequenceReservationException("s", 1, CAUSE))
        .hasMessageContaining("in 1 attempt;");
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

  @Test
  void lostConflictsTellTheirNumberAndTheirTime() {
    TransactionRetriesExhaustedException lost =
        new TransactionRetriesExhaustedException(3, Duration.ofMillis(250), "3 attempts", CAUSE);
    assertThat(lost.attempts()).isEqualTo(3);
    assertThat(lost.elapsed()).isEqualTo(Duration.ofMillis(250));
    assertThat(lost).hasCause(CAUSE).hasMessageContaining("in 3 attempts over 250 ms");
    assertThat(new TransactionRetriesExhaustedException(1, Duration.ZERO, "1 attempt", CAUSE))
        .hasMessageContaining("in 1 attempt over 0 ms");
  }

  @Test
  void anExhaustedSequenceSaysWhetherFewValuesAreLeftOrNone() {
    assertThat(new SequenceExhaustedException("s", 10, 5, 10))
        .hasMessageContaining("fewer than the 5 requested values are left from 10 on");
    assertThat(new SequenceExhaustedException("s", 11, 5, 10))
        .hasMessageContaining("no value is left, the next would be 11");
  }
}
