package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.SpannerExceptionFactory;
import io.millrace.SequenceException;
import io.millrace.SequenceStoreException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RowFaultsTest {

  private static SpannerException answer(ErrorCode code) {
    return SpannerExceptionFactory.newSpannerException(code, "refused");
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
    assertThat(RowFaults.isRefusalOfRows(answer(code))).isTrue();
    assertThat(RowFaults.isRowFault(answer(code))).isTrue();
    assertThat(RowFaults.mayPass(answer(code))).isFalse();
  }

  @ParameterizedTest
  @EnumSource(names = {"PERMISSION_DENIED", "UNAUTHENTICATED", "UNIMPLEMENTED"})
  void aRefusalOfTheClientSaysNothingAboutRows(ErrorCode code) {
    assertThat(RowFaults.isRefusalOfRows(answer(code))).isFalse();
    assertThat(RowFaults.isRowFault(answer(code))).isFalse();
    assertThat(RowFaults.mayPass(answer(code))).isFalse();
  }

  @ParameterizedTest
  @EnumSource(names = {"UNAVAILABLE", "DEADLINE_EXCEEDED", "INTERNAL", "RESOURCE_EXHAUSTED"})
  void anOutageMayPass(ErrorCode code) {
    assertThat(RowFaults.mayPass(answer(code))).isTrue();
    assertThat(RowFaults.isRowFault(answer(code))).isFalse();
  }

  @Test
  void whatTheApplicationThrowsIsARowsFaultButNoRefusal() {
    IllegalStateException thrown = new IllegalStateException("mapper");
    assertThat(RowFaults.isRowFault(thrown)).isTrue();
    assertThat(RowFaults.isRefusalOfRows(thrown)).isFalse();
    assertThat(RowFaults.mayPass(thrown)).isFalse();
  }

  @Test
  void anExhaustedTransactionAndAMissingSequenceAreNoRowsFault() {
    SequenceException sequence =
        new SequenceStoreException("s", "was refused", answer(ErrorCode.NOT_FOUND));
    TransactionRetriesExhaustedException aborted =
        new TransactionRetriesExhaustedException(
            1, Duration.ZERO, SpannerTransactionOptions.defaults(), answer(ErrorCode.ABORTED));
    assertThat(RowFaults.isRowFault(sequence)).isFalse();
    assertThat(RowFaults.isRowFault(aborted)).isFalse();
    assertThat(RowFaults.isRefusalOfRows(aborted)).isFalse();
  }
}
