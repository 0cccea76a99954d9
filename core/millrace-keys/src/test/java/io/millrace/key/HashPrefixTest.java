package io.millrace.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HashPrefixTest {

  @Property
  void theTextIsReadBehindItsPrefix(
      @ForAll(supplier = Texts.class) String key,
      @ForAll KeyHash hash,
      @ForAll @IntRange(min = 1, max = 8) int width,
      @ForAll boolean separated) {
    HashPrefix codec = HashPrefix.of(hash, width).separator(separated ? "#" : "");
    String value = codec.apply(key);
    assertThat(value).isEqualTo(codec.prefix(key) + (separated ? "#" : "") + key);
    assertThat(codec.prefix(key))
        .isEqualTo(hash.toHex(key.getBytes(StandardCharsets.UTF_8)).substring(0, width));
    assertThat(codec.decode(value)).isEqualTo(key);
  }

  @Test
  void theGuidesPrefixIsFourDigitsOfMd5() {
    // The digest of "a" is in the test suite of RFC 1321.
    assertThat(HashPrefix.md5(4).apply("a")).isEqualTo("0cc1a");
    assertThat(HashPrefix.md5(4).prefix("a")).isEqualTo("0cc1");
    assertThat(HashPrefix.md5(32).separator("_").apply("a"))
        .isEqualTo("0cc175b9c0f1b6a831c399e269772661_a");
  }

  @Property
  void aChangedPrefixIsRefused(
      @ForAll(supplier = Texts.class) String key,
      @ForAll @IntRange(max = 4) int place,
      @ForAll char other) {
    HashPrefix codec = HashPrefix.md5(4).separator("#");
    StringBuilder value = new StringBuilder(codec.apply(key));
    if (value.charAt(place) == other) {
      return;
    }
    value.setCharAt(place, other);
    assertThatThrownBy(() -> codec.decode(value.toString()))
        .isExactlyInstanceOf(KeyFormatException.class)
        .hasMessageStartingWith("value must begin with '" + codec.prefix(key) + "#', was '");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0cc1", "a"})
  void aValueShorterThanAPrefixIsRefused(String value) {
    assertThatThrownBy(() -> HashPrefix.md5(4).separator("#").decode(value))
        .isExactlyInstanceOf(KeyFormatException.class)
        .hasMessage("value must be 4 digits, '#' and a text, was '" + value + "'");
  }

  @ParameterizedTest
  @EnumSource
  void sequentialKeysSpreadOverThePrefixes(KeyHash hash) {
    ChiSquare.assertUniform(firstDigits(HashPrefix.of(hash, 4)));
  }

  @Test
  void sequentialKeysDoNotSpreadByThemselves() {
    ChiSquare.assertSkewed(firstDigits(Function.identity()));
  }

  private static long[] firstDigits(Function<String, String> function) {
    long[] counts = new long[16];
    for (int i = 10_000; i < 20_000; i++) {
      counts[Character.digit(function.apply("0000" + i).charAt(0), 16)]++;
    }
    return counts;
  }

  @ParameterizedTest
  @CsvSource({"CRC32C, 8", "FARM_FINGERPRINT, 16", "MD5, 32", "MURMUR3, 32", "SHA_256, 64"})
  void theWidthIsFromOneDigitToAll(KeyHash hash, int digits) {
    assertThat(HashPrefix.of(hash, digits).prefix("k")).hasSize(digits);
    for (int width : new int[] {0, -1, digits + 1}) {
      assertThatThrownBy(() -> HashPrefix.of(hash, width))
          .isExactlyInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "width must be from 1 to " + digits + " digits of " + hash + ", was " + width);
    }
  }

  @Test
  void aSeparatorThatIsNotUnicodeIsRefused() {
    assertThatThrownBy(() -> HashPrefix.md5(4).separator("\ud83d"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("separator must be Unicode");
    assertThat(HashPrefix.md5(4).separator("#"))
        .hasToString("HashPrefix[MD5, width=4, separator='#']");
  }
}
