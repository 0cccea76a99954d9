package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.test.InMemorySequenceStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A limit is the largest value of a column's type. */
class MaxValueTest {

  @ParameterizedTest
  @CsvSource({
    "INT32, 2147483647",
    "int32, 2147483647",
    "JAVASCRIPT, 9007199254740991",
    "INT64, 9223372036854775807",
    "NUMERIC(1), 9",
    "numeric( 9 ), 999999999",
    "NUMERIC(18), 999999999999999999",
    "NUMERIC(19), 9223372036854775807",
    "NUMERIC(1000), 9223372036854775807",
    "2147483647, 2147483647",
    "-5, -5",
    "0, 0"
  })
  void aTextIsReadAsTheLargestValueOfItsType(String text, long value) {
    assertThat(MaxValue.parse(text).value()).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "INT", "NUMERIC", "NUMERIC()", "9223372036854775808", "1e9", "2^53"})
  void anyOtherTextIsRefusedAndQuoted(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MaxValue.parse(text))
        .withMessageStartingWith("maxValue must be INT32, INT64, JAVASCRIPT, NUMERIC(digits)")
        .withMessageEndingWith("was '" + text + "'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"NUMERIC(0)", "NUMERIC(1001)"})
  void aColumnHasFrom1To1000Digits(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MaxValue.parse(text))
        .withMessageContaining("from 1 to 1000 digits, was ");
  }

  @Test
  void aLimitShowsItsNumberAndItsType() {
    assertThat(MaxValue.INT32).hasToString("2147483647 (INT32)");
    assertThat(MaxValue.numeric(9)).hasToString("999999999 (NUMERIC(9))");
    assertThat(MaxValue.of(7)).hasToString("7").isEqualTo(MaxValue.parse("7"));
    assertThat(MaxValue.of(Integer.MAX_VALUE)).isNotEqualTo(MaxValue.INT32);
    assertThat(MaxValue.numeric(9))
        .isEqualTo(MaxValue.parse("NUMERIC(9)"))
        .hasSameHashCodeAs(MaxValue.parse("NUMERIC(9)"))
        .doesNotHaveSameHashCodeAs(MaxValue.INT32);
    assertThat(MaxValue.INT32.isType()).isTrue();
    assertThat(MaxValue.of(7).isType()).isFalse();
  }

  @Test
  void aStartValueThatDoesNotFitTheColumnIsRefusedBeforeTheFirstValue() {
    SequenceGeneratorBuilder builder =
        SequenceGenerator.builder(InMemorySequenceStore.create(), "s")
            .maxValue(MaxValue.INT32)
            .createMissing(3_000_000_000L);
    assertThatIllegalArgumentException()
        .isThrownBy(builder::build)
        .withMessage("createMissing must be at most maxValue 2147483647 (INT32), was 3000000000");
    assertThat(builder.createMissing(Integer.MAX_VALUE).build().name()).isEqualTo("s");
  }
}
