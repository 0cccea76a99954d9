package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.SpannerExceptionFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the text of a refusal is interpreted. */
class SequenceFailuresTest {

  private static boolean isTableMissing(ErrorCode code, String message) {
    return SequenceFailures.isTableMissing(
        SpannerExceptionFactory.newSpannerException(code, message));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Table not found: sequences [at 1:8]",
        "relation \"sequences\" does not exist",
        "[ERROR] relation \"counters.sequences\" does not exist",
        "schema not found: counters"
      })
  void aMissingTableIsKnownInBothDialects(String message) {
    assertThat(isTableMissing(ErrorCode.INVALID_ARGUMENT, message)).isTrue();
    assertThat(isTableMissing(ErrorCode.NOT_FOUND, message)).isTrue();
    assertThat(isTableMissing(ErrorCode.PERMISSION_DENIED, message)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Parent row for row [table not found,1] in table orders is missing. Row cannot be written.",
        "Invalid value for column name in table orders: relation \"x\" does not exist",
        "Row [schema not found] in table orders is missing"
      })
  void theTextOfARowInAMessageIsNoMissingTable(String message) {
    assertThat(isTableMissing(ErrorCode.INVALID_ARGUMENT, message)).isFalse();
    assertThat(isTableMissing(ErrorCode.NOT_FOUND, message)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "column \"nothing\" of relation \"sequences\" does not exist",
        "column \"nothing\" does not exist",
        "Unrecognized name: nothing [at 1:8]",
        "Column not found in table sequences: nothing"
      })
  void aMissingColumnIsNoMissingTable(String message) {
    assertThat(isTableMissing(ErrorCode.INVALID_ARGUMENT, message)).isFalse();
    assertThat(isTableMissing(ErrorCode.NOT_FOUND, message)).isFalse();
  }
}
