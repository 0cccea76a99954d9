package io.millrace.key;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyEncoderTest {

  private static <T> String text(KeyEncoder<T> encoder, T value) {
    return new String(encoder.encode(value), UTF_8);
  }

  @Property
  void stringsAreEncodedAsUtf8(@ForAll("wellFormed") String value) {
    assertThat(text(KeyEncoder.string(), value)).isEqualTo(value);
  }

  @Provide
  Arbitrary<String> wellFormed() {
    return Arbitraries.integers()
        .between(0, Character.MAX_CODE_POINT)
        .filter(point -> point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE)
        .array(int[].class)
        .ofMaxSize(40)
        .map(points -> new String(points, 0, points.length));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\uD800", "ab\uDC00", "\uDE00\uD83D", "é\uD83Dé"})
  void anUnpairedSurrogateIsRefused(String value) {
    assertThatThrownBy(() -> KeyEncoder.string().encode(value))
        .isInstanceOf(KeyFormatException.class)
        .hasMessageStartingWith("string must be Unicode, has the unpaired surrogate U+D")
        .hasMessageEndingWith(" at index %d", value.replaceFirst("[\uD800-\uDFFF].*", "").length());
  }

  @Test
  void simpleValuesArePrinted() {
    assertThat(text(KeyEncoder.string(), "")).isEmpty();
    assertThat(KeyEncoder.bytes().encode(new byte[] {0, -1})).containsExactly(0, -1);
    assertThat(text(KeyEncoder.int64(), Long.MIN_VALUE)).isEqualTo("-9223372036854775808");
    assertThat(text(KeyEncoder.bool(), true)).isEqualTo("true");
    assertThat(text(KeyEncoder.bool(), false)).isEqualTo("false");
    assertThat(text(KeyEncoder.date(), LocalDate.of(1, 1, 1))).isEqualTo("0001-01-01");
    assertThat(text(KeyEncoder.date(), LocalDate.of(9999, 12, 31))).isEqualTo("9999-12-31");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0000-12-31", "-0001-01-01", "+10000-01-01"})
  void aDateThatTheServerLacksIsRefused(LocalDate value) {
    assertThatThrownBy(() -> KeyEncoder.date().encode(value))
        .isInstanceOf(KeyFormatException.class)
        .hasMessage(
            "a date must be from 0001-01-01 to 9999-12-31, was "
                + (value.getYear() < 1 ? "earlier" : "later"));
  }

  /** All of them as the server printed them. */
  @ParameterizedTest
  @CsvSource({
    "2020-07-01T00:00:00Z, America/Los_Angeles, 2020-06-30 17:00:00-07",
    "2020-07-01T00:00:00.1Z, America/Los_Angeles, 2020-06-30 17:00:00.100-07",
    "2020-07-01T00:00:00.1234Z, UTC, 2020-07-01 00:00:00.123400+00",
    "2020-07-01T00:00:00.12345678Z, America/Los_Angeles, 2020-06-30 17:00:00.123456780-07",
    "2020-01-01T00:00:00Z, Asia/Kolkata, 2020-01-01 05:30:00+05:30",
    "2020-01-01T00:00:00Z, -00:30, 2019-12-31 23:30:00-00:30",
    "1883-01-01T00:00:00Z, America/Los_Angeles, 1882-12-31 16:08:00-07:52",
    "1800-01-01T00:00:00Z, Europe/London, 1799-12-31 23:59:00-00:01",
    "1911-03-10T23:50:38Z, Europe/Paris, 1911-03-10 23:59:38+00:09",
    "0001-01-01T00:00:00Z, America/Los_Angeles, 0000-12-31 16:08:00-07:52",
    "9999-12-31T23:59:59Z, Asia/Tokyo, 10000-01-01 08:59:59+09",
  })
  void timestampsArePrintedAsTheServerPrintsThem(Instant value, ZoneId zone, String printed) {
    assertThat(text(KeyEncoder.timestamp(zone), value)).isEqualTo(printed);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0000-12-31T23:59:59.999999999Z", "+10000-01-01T00:00:00Z"})
  void aTimestampThatTheServerLacksIsRefused(Instant value) {
    assertThatThrownBy(() -> KeyEncoder.timestamp(ZoneOffset.UTC).encode(value))
        .isInstanceOf(KeyFormatException.class)
        .hasMessage(
            "a timestamp must be from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59.999999999Z, was "
                + (value.isBefore(Instant.EPOCH) ? "earlier" : "later"));
  }

  static Stream<KeyEncoder<?>> encoders() {
    return Stream.of(
        KeyEncoder.string(),
        KeyEncoder.bytes(),
        KeyEncoder.int64(),
        KeyEncoder.bool(),
        KeyEncoder.date(),
        KeyEncoder.timestamp(ZoneOffset.UTC),
        KeyEncoder.string().from(Object::toString),
        KeyEncoder.string().from(value -> nothing()),
        KeyEncoder.netstrings(KeyEncoder.string()));
  }

  @ParameterizedTest
  @MethodSource("encoders")
  void nullIsRefused(KeyEncoder<?> encoder) {
    assertThatThrownBy(() -> encoder.encode(nothing()))
        .isInstanceOf(KeyFormatException.class)
        .hasMessage("a key, or a part of one, must not be null");
  }

  @Test
  void aRowIsReadBeforeItsPartIsEncoded() {
    KeyEncoder<Access> page = KeyEncoder.int64().from(Access::page);
    assertThat(text(page, new Access("u", 7))).isEqualTo("7");
    assertThatThrownBy(
            () -> KeyEncoder.string().from(Access::user).encode(new Access(nothing(), 7)))
        .isInstanceOf(KeyFormatException.class)
        .hasMessage("a key, or a part of one, must not be null");
  }

  private static final KeyEncoder<Access> USER_AND_PAGE =
      KeyEncoder.netstrings(
          KeyEncoder.string().from(Access::user), KeyEncoder.int64().from(Access::page));

  private record Access(String user, long page) {}

  @Test
  void partsAreLedByTheNumberOfTheirBytes() {
    assertThat(text(USER_AND_PAGE, new Access("é", 12))).isEqualTo("2:é,2:12,");
    assertThat(text(USER_AND_PAGE, new Access("", 0))).isEqualTo("0:,1:0,");
    assertThat(text(USER_AND_PAGE, new Access("x".repeat(1_000), 1)))
        .isEqualTo("1000:" + "x".repeat(1_000) + ",1:1,");
  }

  @Test
  void thePartThatCannotBeEncodedIsNamed() {
    assertThatThrownBy(() -> USER_AND_PAGE.encode(new Access(nothing(), 1)))
        .isInstanceOf(KeyFormatException.class)
        .hasMessage("part 1 of 2: a key, or a part of one, must not be null");
    KeyEncoder<Access> nested =
        KeyEncoder.netstrings(KeyEncoder.int64().from(Access::page), USER_AND_PAGE);
    assertThatThrownBy(() -> nested.encode(new Access("\uD800", 1)))
        .isInstanceOf(KeyFormatException.class)
        .hasMessageStartingWith("part 2 of 2: part 1 of 2: string must be Unicode");
  }

  @Test
  void netstringsNeedAPart() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KeyEncoder.<String>netstrings())
        .isNotInstanceOf(KeyFormatException.class)
        .withMessage("netstrings must have at least 1 part, had 0");
  }

  private static final KeyEncoder<List<String>> PAIR =
      KeyEncoder.netstrings(
          KeyEncoder.string().from((List<String> pair) -> pair.get(0)),
          KeyEncoder.string().from((List<String> pair) -> pair.get(1)));

  @Property
  void theSameTextCutElsewhereIsAnotherKey(
      @ForAll("netstringLike") String text, @ForAll int one, @ForAll int another) {
    int i = Math.floorMod(one, text.length() + 1);
    int j = Math.floorMod(another, text.length() + 1);
    String first = text(PAIR, List.of(text.substring(0, i), text.substring(i)));
    String second = text(PAIR, List.of(text.substring(0, j), text.substring(j)));
    assertThat(first.equals(second)).isEqualTo(i == j);
  }

  /** Of the characters that netstrings themselves are made of. */
  @Provide
  Arbitrary<String> netstringLike() {
    return Arbitraries.strings().withChars("01,:a").ofMaxLength(24);
  }

  /** Null where none is allowed, as code without annotations may give it. */
  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <T> T nothing() {
    return null;
  }
}
