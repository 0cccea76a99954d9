package io.millrace.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumberFormatTest {

  @ParameterizedTest
  @CsvSource({
    "{n:4}, 7, 0007",
    "{n:4}, 12345, 12345",
    "{n:4}, -7, -0007",
    "{n}, -9223372036854775808, -9223372036854775808",
    "{yyyy}/{MM}/{dd}-{n:2}, 7, 2026/03/01-07",
    "{yy}-{n}, 0, 26-0"
  })
  void aNumberIsPaddedBehindItsSign(String pattern, long number, String text) {
    assertThat(NumberFormat.of(pattern).format("", LocalDate.of(2026, 3, 1), number))
        .isEqualTo(text);
  }
}
