package io.millrace.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FormattedIdTest {

  private static final List<Integer> RADIXES = List.of(10, 16, 32, 36, 62);

  private final FormattedId invoices = FormattedId.builder().prefix("INV-").width(5).build();

  @Provide
  Arbitrary<Integer> radixes() {
    return Arbitraries.of(RADIXES);
  }

  private static FormattedId.Builder format(int radix, boolean checked) {
    FormattedId.Builder builder = FormattedId.builder().prefix("ID").radix(radix);
    return checked ? builder.checkDigit() : builder;
  }

  @Property
  void everyNumberIsDecoded(
      @ForAll @LongRange(min = 0) long key,
      @ForAll("radixes") int radix,
      @ForAll boolean checked,
      @ForAll boolean fixed) {
    int width = fixed ? Alphabet.ofRadix(radix).maxWidth() : 0;
    FormattedId codec = format(radix, checked).width(width).build();
    String id = codec.apply(key);
    assertThat(codec.decode(id)).isEqualTo(key);
    if (fixed) {
      assertThat(id).hasSize(2 + width + (checked ? 1 : 0));
    }
  }

  @Property
  void theDigitsAreThoseOfTheRadix(@ForAll @LongRange(min = 0) long key) {
    for (int radix : new int[] {10, 16, 36}) {
      assertThat(format(radix, false).build().apply(key))
          .isEqualTo(
              "ID" + BigInteger.valueOf(key).toString(radix).toUpperCase(java.util.Locale.ROOT));
    }
  }

  @Property
  void everySingleWrongDigitIsFound(
      @ForAll @LongRange(min = 0, max = 999_999_999) long key,
      @ForAll("radixes") int radix,
      @ForAll @IntRange(max = 9) int place) {
    FormattedId codec = format(radix, true).width(9).build();
    String id = codec.apply(key);
    int wrong = 2 + place;
    int refused = 0;
    for (char digit : Alphabet.ofRadix(radix).digits().toCharArray()) {
      if (digit != id.charAt(wrong)) {
        String typed = id.substring(0, wrong) + digit + id.substring(wrong + 1);
        assertThatThrownBy(() -> codec.decode(typed))
            .isExactlyInstanceOf(KeyFormatException.class)
            .hasMessage(
                "identifier must end with the check digit of the others, was '" + typed + "'");
        refused++;
      }
    }
    assertThat(refused).isEqualTo(radix - 1);
  }

  @Test
  void aNumberGetsPrefixAndZeros() {
    assertThat(invoices.apply(42L)).isEqualTo("INV-00042");
    assertThat(invoices.decode("INV-00042")).isEqualTo(42);
    assertThat(FormattedId.builder().build().apply(0L)).isEqualTo("0");
    assertThat(format(62, false).build().apply(3843L)).isEqualTo("IDzz");
    assertThat(format(32, true).width(4).build().apply(31L)).startsWith("ID000Z").hasSize(7);
    assertThat(format(16, true).width(4).build())
        .hasToString("FormattedId[prefix='ID', radix=16, width=4, checkDigit=true]");
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE})
  void aNegativeNumberIsRefused(long key) {
    assertThatThrownBy(() -> invoices.apply(key))
        .isExactlyInstanceOf(KeyFormatException.class)
        .hasMessage("value must be 0 or more, was " + key);
  }

  @ParameterizedTest
  @ValueSource(longs = {100_000, Long.MAX_VALUE})
  void aNumberWiderThanTheWidthIsRefused(long key) {
    assertThat(invoices.apply(99_999L)).isEqualTo("INV-99999");
    assertThatThrownBy(() -> invoices.apply(key))
        .isExactlyInstanceOf(KeyFormatException.class)
        .hasMessage("value must have at most 5 digits of radix 10, was " + key);
  }

  @ParameterizedTest
  @CsvSource({
    "'', begin with 'INV-'",
    "inv-00042, begin with 'INV-'",
    "00042, begin with 'INV-'",
    "INV-0042, have 5 digits after 'INV-'",
    "INV-000042, have 5 digits after 'INV-'",
    "INV-, have 5 digits after 'INV-'",
    "INV-0004A, 'be digits of radix 10, up to 2^63 - 1'",
    "INV-+0042, 'be digits of radix 10, up to 2^63 - 1'",
    "INV-0 042, 'be digits of radix 10, up to 2^63 - 1'"
  })
  void refusesOtherIdentifiers(String id, String rule) {
    assertThatThrownBy(() -> invoices.decode(id))
        .isExactlyInstanceOf(KeyFormatException.class)
        .hasMessage("identifier must " + rule + ", was '" + id + "'");
  }

  @ParameterizedTest
  @CsvSource({
    "10, 9223372036854775808",
    "10, 18446744073709551617",
    "16, 8000000000000000",
    "16, 10000000000000001",
    "62, AzL8n0Y58m8"
  })
  void aNumberBeyondALongIsRefused(int radix, String digits) {
    FormattedId codec = format(radix, false).build();
    assertThatThrownBy(() -> codec.decode("ID" + digits))
        .isExactlyInstanceOf(KeyFormatException.class)
        .hasMessageStartingWith("identifier must be digits of radix " + radix);
  }

  @Test
  void withoutAWidthZerosInFrontAreRefused() {
    FormattedId codec = FormattedId.builder().build();
    assertThat(codec.decode("0")).isZero();
    assertThatThrownBy(() -> codec.decode("007"))
        .isExactlyInstanceOf(KeyFormatException.class)
        .hasMessage("identifier must not begin with zeros, was '007'");
    assertThatThrownBy(() -> codec.decode(""))
        .isExactlyInstanceOf(KeyFormatException.class)
        .hasMessage("identifier must have digits after '', was ''");
    assertThatThrownBy(() -> FormattedId.builder().checkDigit().build().decode("2"))
        .isExactlyInstanceOf(KeyFormatException.class)
        .hasMessage("identifier must have digits and a check digit after '', was '2'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ID0z", "IDO1", "IDI1", "IDL1", "IDU1", "ID0a"})
  void takesCrockfordsDigitsInUpperCaseOnly(String id) {
    FormattedId codec = format(32, false).width(2).build();
    assertThat(codec.decode("ID0Z")).isEqualTo(31);
    assertThatThrownBy(() -> codec.decode(id)).isExactlyInstanceOf(KeyFormatException.class);
  }

  @ParameterizedTest
  @CsvSource({"10, 20, 19", "36, 40, 13", "62, 12, 11"})
  void aWidthThatNoNumberNeedsIsRefused(int radix, int width, int limit) {
    assertThatThrownBy(() -> format(radix, false).width(width).build())
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "width must be from 0 to %d digits of radix %d, was %d".formatted(limit, radix, width));
  }

  @Test
  void otherPartsOutOfRangeAreRefusedAtOnce() {
    assertThatThrownBy(() -> FormattedId.builder().width(-1))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage("width must be 0 or more, was -1");
    assertThatThrownBy(() -> FormattedId.builder().radix(64))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("was 64");
    assertThatThrownBy(() -> FormattedId.builder().prefix("\ud83d"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("prefix must be Unicode");
  }
}
