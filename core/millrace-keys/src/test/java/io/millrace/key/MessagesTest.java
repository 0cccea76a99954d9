package io.millrace.key;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for the messages of all key functions: short, the same everywhere, of one type. */
class MessagesTest {

  private static final String HALF = "\ud83d";

  @Test
  void aLongValueIsNotPrintedWhole() {
    String digits = "1".repeat(1_000_000);
    String broken = "x".repeat(1_000_000) + HALF;
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> KeyEncoder.string().encode(broken),
            () -> KeyEncoder.netstrings(KeyEncoder.string()).encode(broken),
            () -> Shards.farmFingerprint(64).apply(broken),
            () -> HashPrefix.md5(4).apply(broken),
            () -> HashPrefix.md5(4).decode(digits),
            () -> ReversedString.BY_CODE_POINT.apply(broken),
            () -> ReversedDecimal.ofWidth(4).decode(digits),
            () -> Digits.ofWidth(4).apply(digits),
            () -> Salt.below(50).suffix().apply(broken),
            () -> Salt.below(10).suffix().decode(digits + "x"),
            () -> FormattedId.builder().build().decode(digits),
            () -> UuidLayout.STRING.decode(digits),
            () -> CodeTable.of(Map.of("name", "c")).apply(digits),
            () -> CodeTable.of(Map.of("name", digits, "other", digits)),
            () -> CompositeKey.<String>builder().part("k", row -> row).build().apply(broken),
            () -> CompositeKey.<String>builder().part(digits, row -> null).build().apply("row"),
            () -> CompositeKey.<String>builder().part(digits, row -> "").build().apply("row"),
            () -> CompositeKey.<String>builder().part(digits, row -> row).build().apply(digits),
            () -> CompositeKey.builder().part(digits, row -> row).part(digits, row -> row),
            () -> CompositeKey.builder().part(" ".repeat(1_000_000), row -> row),
            () -> HashPrefix.md5(4).separator(digits).decode("x"),
            () -> FormattedId.builder().prefix(digits).build().decode("x"),
            () -> FormattedId.builder().prefix("I").build().decode("\0".repeat(1_000_000)))) {
      assertThatThrownBy(call)
          .isInstanceOf(IllegalArgumentException.class)
          .extracting(e -> String.valueOf(e.getMessage()))
          .satisfies(message -> assertThat(message).hasSizeBetween(20, 300))
          .satisfies(message -> assertThat(message).doesNotContainPattern("[\\x00-\\x1F]"));
    }
  }

  /** In these languages {@code %d} prints other digits, and {@code I} has another lower case. */
  @ParameterizedTest
  @ValueSource(strings = {"ar-EG-u-nu-arab", "th-TH-u-nu-thai", "hi-IN-u-nu-deva", "tr-TR"})
  void nothingDependsOnTheLanguageOfTheMachine(String language) {
    List<String> usual = everyText();
    Locale machine = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag(language));
    try {
      assertThat(everyText()).hasSize(usual.size()).containsExactlyElementsOf(usual);
    } finally {
      Locale.setDefault(machine);
    }
  }

  private static List<String> everyText() {
    FormattedId ids = FormattedId.builder().prefix("I").radix(62).width(3).checkDigit().build();
    Instant time = Instant.parse("2020-07-01T00:00:00.12Z");
    return List.of(
        ids.apply(42L),
        ids.toString(),
        message(() -> ids.apply(Long.MAX_VALUE)),
        message(() -> ids.decode("I12")),
        message(() -> FormattedId.builder().width(20).build()),
        message(() -> FormattedId.builder().radix(11)),
        HashPrefix.of(KeyHash.FARM_FINGERPRINT, 16).apply("I"),
        message(() -> HashPrefix.md5(4).decode("I")),
        message(() -> HashPrefix.md5(4).decode("12345")),
        message(() -> ReversedString.BY_CODE_POINT.apply(HALF)),
        ReversedDecimal.ofWidth(4).apply(12L),
        message(() -> ReversedDecimal.ofWidth(4).apply(12_345L)),
        message(() -> Digits.ofWidth(4).apply("12345")),
        message(() -> Salt.below(0)),
        message(() -> Salt.below(50).suffix().decode("I50")),
        message(() -> Shards.farmFingerprint(0)),
        message(() -> TimeBuckets.of(0, ChronoUnit.SECONDS)),
        message(() -> TimeBuckets.of(1, Duration.ofMillis(1_500))),
        message(() -> DescendingTime.MILLIS.decode(1L)),
        message(() -> UuidLayout.STRING.apply(new UUID(0x1000, Long.MIN_VALUE))),
        message(() -> CompositeKey.<Integer>builder().part("I", i -> i).part("i", i -> i)),
        new String(KeyEncoder.timestamp(ZoneOffset.UTC).encode(time), US_ASCII),
        new String(KeyEncoder.int64().encode(-12L), US_ASCII));
  }

  private static String message(ThrowingCallable call) {
    return String.valueOf(catchThrowable(call).getMessage());
  }
}
