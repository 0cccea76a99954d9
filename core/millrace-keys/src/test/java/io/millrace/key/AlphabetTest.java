package io.millrace.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AlphabetTest {

  @ParameterizedTest
  @CsvSource({"10, 0794, 5", "36, A12425GABC1234002, M"})
  void theCheckDigitIsThatOfIso7064(int radix, String text, char expected) {
    assertThat(Alphabet.ofRadix(radix).checkDigit(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"10, 19", "16, 16", "32, 13", "36, 13", "62, 11"})
  void theWidestNumberIsTheGreatestLong(int radix, int width) {
    Alphabet alphabet = Alphabet.ofRadix(radix);
    assertThat(alphabet.maxWidth()).isEqualTo(width);
    assertThat(alphabet.radix()).isEqualTo(radix);
    assertThat(alphabet.parse(alphabet.format(Long.MAX_VALUE, 0))).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void crockfordLeavesOutTheLettersThatLookLikeOthers() {
    assertThat(Alphabet.ofRadix(32).digits()).isEqualTo("0123456789ABCDEFGHJKMNPQRSTVWXYZ");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2, 11, 33, 64, -10})
  void noOtherRadixIsKnown(int radix) {
    assertThatThrownBy(() -> Alphabet.ofRadix(radix))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage("radix must be 10, 16, 32, 36 or 62, was " + radix);
  }
}
