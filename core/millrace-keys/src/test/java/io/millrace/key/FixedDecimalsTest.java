package io.millrace.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers as texts of a fixed width: {@link ReversedDecimal} and {@link Digits}. */
class FixedDecimalsTest {

  private static final String ARABIC_ONE = "\u0661";

  @Property
  void aReversedDecimalIsDecoded(
      @ForAll @LongRange(min = 0) long value, @ForAll @IntRange(min = 1, max = 19) int width) {
    ReversedDecimal codec = ReversedDecimal.ofWidth(width);
    long key = value % FixedDecimal.ofWidth(width, 19).max();
    String text = codec.apply(key);
    assertThat(text).hasSize(width).containsOnlyDigits();
    assertThat(codec.decode(text)).isEqualTo(key);
    assertThat(Long.parseLong(new StringBuilder(text).reverse().toString())).isEqualTo(key);
  }

  @Property
  void digitsAreDecoded(
      @ForAll @LongRange(min = 0) long value, @ForAll @IntRange(min = 1, max = 18) int width) {
    Digits codec = Digits.ofWidth(width);
    String text = ("%0" + width + "d").formatted(value % FixedDecimal.ofWidth(width, 18).max());
    assertThat(codec.apply(text)).isEqualTo(Long.parseLong(text));
    assertThat(codec.decode(codec.apply(text))).isEqualTo(text);
  }

  @Test
  void zerosAreKept() {
    assertThat(ReversedDecimal.ofWidth(6).apply(1234L)).isEqualTo("432100");
    assertThat(ReversedDecimal.ofWidth(6).decode("432100")).isEqualTo(1234L);
    assertThat(ReversedDecimal.ofWidth(3).apply(0L)).isEqualTo("000");
    assertThat(Digits.ofWidth(6).decode(7L)).isEqualTo("000007");
  }

  @Test
  void textsTellTheWidth() {
    assertThat(ReversedDecimal.ofWidth(6)).hasToString("ReversedDecimal[width=6]");
    assertThat(Digits.ofWidth(4)).hasToString("Digits[width=4]");
  }

  @Test
  void theGreatestNumberFitsNineteenDigits() {
    ReversedDecimal codec = ReversedDecimal.ofWidth(19);
    assertThat(codec.apply(Long.MAX_VALUE)).isEqualTo("7085774586302733229");
    assertThat(codec.decode("7085774586302733229")).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aNumberJustBeyondALongIsRefused() {
    assertThatThrownBy(() -> ReversedDecimal.ofWidth(19).decode("8085774586302733229"))
        .isExactlyInstanceOf(KeyFormatException.class)
        .hasMessage(
            "text must be the reverse of 19 digits from 0 to 9, a number up to 9223372036854775807,"
                + " was '8085774586302733229'");
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE, 10_000, Long.MAX_VALUE})
  void aNumberThatDoesNotFitIsRefused(long value) {
    assertThatThrownBy(() -> ReversedDecimal.ofWidth(4).apply(value))
        .isExactlyInstanceOf(KeyFormatException.class)
        .hasMessage("value must be from 0 to 9999, was " + value);
    assertThatThrownBy(() -> Digits.ofWidth(4).decode(value))
        .isExactlyInstanceOf(KeyFormatException.class)
        .hasMessage("value must be from 0 to 9999, was " + value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "123",
        "12345",
        "12a4",
        "-123",
        "+123",
        " 123",
        "12/4",
        "12:4",
        "123" + ARABIC_ONE
      })
  void aTextThatIsNotExactlyTheDigitsIsRefused(String text) {
    assertThatThrownBy(() -> Digits.ofWidth(4).apply(text))
        .isExactlyInstanceOf(KeyFormatException.class)
        .hasMessage("text must be 4 digits from 0 to 9, a number up to 9999, was '" + text + "'");
    assertThatThrownBy(() -> ReversedDecimal.ofWidth(4).decode(text))
        .isExactlyInstanceOf(KeyFormatException.class)
        .hasMessage(
            "text must be the reverse of 4 digits from 0 to 9, a number up to 9999, was '"
                + text
                + "'");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 20, 40})
  void aWidthOutOfRangeIsRefused(int width) {
    assertThatThrownBy(() -> ReversedDecimal.ofWidth(width))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage("width must be from 1 to 19 digits, was " + width);
    assertThatThrownBy(() -> Digits.ofWidth(width))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage("width must be from 1 to 18 digits, was " + width);
  }

  @Test
  void sequentialNumbersBeginWithEveryDigitAlike() {
    ReversedDecimal codec = ReversedDecimal.ofWidth(10);
    FixedDecimal plain = FixedDecimal.ofWidth(10, 19);
    ChiSquare.assertUniform(firstDigits(value -> codec.apply(value)));
    ChiSquare.assertSkewed(firstDigits(plain::format));
  }

  private static long[] firstDigits(java.util.function.LongFunction<String> function) {
    long[] counts = new long[10];
    LongStream.range(1_234_567, 1_244_571)
        .forEach(value -> counts[function.apply(value).charAt(0) - '0']++);
    return counts;
  }
}
