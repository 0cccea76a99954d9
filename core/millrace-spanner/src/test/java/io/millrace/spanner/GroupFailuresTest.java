package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.SpannerExceptionFactory;
import io.millrace.SequenceException;
import io.millrace.SequenceStoreException;
import io.millrace.TransactionRetriesExhaustedException;
import io.millrace.insert.spi.GroupFailedException.Kind;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GroupFailuresTest {

  private static SpannerException answer(ErrorCode code) {
    return SpannerExceptionFactory.newSpannerException(code, "refused");
  }

  private static void assertMeans(Throwable failure, Kind kind) {
    assertThat(GroupFailures.kind(failure, true)).isEqualTo(kind);
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "ALREADY_EXISTS",
        "INVALID_ARGUMENT",
        "FAILED_PRECONDITION",
        "NOT_FOUND",
        "OUT_OF_RANGE"
      })
  void aRefusalForWhatARowIsWouldComeAgain(ErrorCode code) {
    assertMeans(answer(code), Kind.ROWS_REFUSED);
  }

  @ParameterizedTest
  @EnumSource(names = {"NOT_FOUND", "INVALID_ARGUMENT"})
  void aMissingTableIsNoRowsFaultUnlessOtherRowsHaveAnother(ErrorCode code) {
    SpannerException missing =
        SpannerExceptionFactory.newSpannerException(code, "Table not found: orders");
    assertThat(GroupFailures.kind(missing, true)).isEqualTo(Kind.GROUP_REFUSED);
    assertThat(GroupFailures.kind(missing, false)).isEqualTo(Kind.ROWS_REFUSED);
  }

  @ParameterizedTest
  @EnumSource(names = {"PERMISSION_DENIED", "UNAUTHENTICATED", "UNIMPLEMENTED"})
  void aRefusalOfTheClientSaysNothingAboutRows(ErrorCode code) {
    assertMeans(answer(code), Kind.GROUP_REFUSED);
  }

  @ParameterizedTest
  @EnumSource(names = {"UNAVAILABLE", "DEADLINE_EXCEEDED", "INTERNAL", "RESOURCE_EXHAUSTED"})
  void anOutageMayPass(ErrorCode code) {
    assertMeans(answer(code), Kind.TRANSIENT);
  }

  @Test
  void aCommitWithoutAnswerLeavesADoubt() {
    assertMeans(new CommitOutcomeUnknownException(answer(ErrorCode.UNAVAILABLE)), Kind.IN_DOUBT);
  }

  @Test
  void anExceptionOfTheApplicationIsAFaultOfItsRow() {
    assertMeans(new IllegalStateException("mapper"), Kind.ROWS_REFUSED);
  }

  @Test
  void anExhaustedTransactionAndAMissingSequenceAreNoRowsFault() {
    SequenceException sequence =
        new SequenceStoreException("s", "was refused", answer(ErrorCode.NOT_FOUND));
    TransactionRetriesExhaustedException aborted =
        new TransactionRetriesExhaustedException(
            1, Duration.ZERO, "1 attempt", answer(ErrorCode.ABORTED));
    assertMeans(sequence, Kind.GROUP_REFUSED);
    assertMeans(aborted, Kind.GROUP_REFUSED);
  }
}
