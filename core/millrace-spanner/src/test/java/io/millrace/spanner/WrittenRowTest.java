package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.Timestamp;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Value;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which rows an insert whose answer was lost can have written. */
class WrittenRowTest {

  private static final Timestamp COMMITTED =
      Timestamp.ofTimeSecondsAndNanos(1_700_000_000, 123_456_000);

  private static Mutation insert(Value value) {
    return Mutation.newInsertBuilder("t").set("id").to(1).set("column").to(value).build();
  }

  private static boolean wrote(Value written, Value found) {
    return new WrittenRow(List.of(Value.int64(1), found)).isOf(insert(written));
  }

  @Test
  void theSameValuesAreItsRow() {
    assertThat(wrote(Value.string("a"), Value.string("a"))).isTrue();
    assertThat(wrote(Value.string("a"), Value.string("b"))).isFalse();
    assertThat(wrote(Value.int64Array(List.of(1L)), Value.int64Array(List.of(1L)))).isTrue();
    assertThat(wrote(Value.int64Array(List.of(1L)), Value.int64Array(List.of(2L)))).isFalse();
  }

  @Test
  void aNullIsOnlyANull() {
    assertThat(wrote(Value.string(null), Value.string(null))).isTrue();
    assertThat(wrote(Value.string(null), Value.string(""))).isFalse();
    assertThat(wrote(Value.string(""), Value.string(null))).isFalse();
  }

  @Test
  void aNumberHasOneValueAndSeveralSpellings() {
    assertThat(wrote(Value.numeric(new BigDecimal("1.50")), Value.numeric(new BigDecimal("1.5"))))
        .isTrue();
    assertThat(wrote(Value.numeric(new BigDecimal("1.5")), Value.numeric(new BigDecimal("1.6"))))
        .isFalse();
    assertThat(wrote(Value.pgNumeric("1.50"), Value.pgNumeric("1.5"))).isTrue();
    assertThat(wrote(Value.pgNumeric("1.5"), Value.pgNumeric("NaN"))).isFalse();
    assertThat(wrote(Value.string("NaN"), Value.pgNumeric("NaN"))).isTrue();
    assertThat(wrote(Value.string("nan"), Value.pgNumeric("1"))).isFalse();
  }

  @Test
  void aTextThatTheDatabaseMadeAnotherTypeOfIsCompared() {
    assertThat(wrote(Value.string("{}"), Value.json("{}"))).isTrue();
    assertThat(wrote(Value.string("{}"), Value.json("[]"))).isFalse();
  }

  @Test
  void anyCommitTimestampMatchesAndIsTheRows() {
    WrittenRow row = new WrittenRow(List.of(Value.int64(1), Value.timestamp(COMMITTED)));
    Mutation insert = insert(Value.timestamp(Value.COMMIT_TIMESTAMP));
    assertThat(row.isOf(insert)).isTrue();
    assertThat(row.committedAt(insert))
        .isEqualTo(Instant.ofEpochSecond(1_700_000_000, 123_456_000));
    assertThat(row.committedAt(insert(Value.timestamp(COMMITTED)))).isNull();
  }
}
