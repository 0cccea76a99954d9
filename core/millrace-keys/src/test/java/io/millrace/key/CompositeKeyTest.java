package io.millrace.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

class CompositeKeyTest {

  private record AccessLog(long shard, @Nullable Instant lastAccess, String user) {}

  private static final Instant NOON = Instant.parse("2024-02-29T12:00:00.123456789Z");

  private final CompositeKey<AccessLog> key =
      CompositeKey.<AccessLog>builder()
          .part("ShardId", AccessLog::shard)
          .descending("LastAccess", AccessLog::lastAccess)
          .part("UserId", AccessLog::user)
          .build();

  private static CompositeKey<Object[]> ofOne() {
    return CompositeKey.<Object[]>builder().part("k", row -> row[0]).build();
  }

  private static Object only(Object value) {
    return ofOne().apply(new Object[] {value}).get(0);
  }

  @Test
  void theValuesComeInTheOrderOfTheParts() {
    assertThat(key.apply(new AccessLog(7, NOON, "u"))).containsExactly(7L, NOON, "u");
    assertThat(key.columns())
        .containsExactly(
            new CompositeKey.Column("ShardId", false),
            new CompositeKey.Column("LastAccess", true),
            new CompositeKey.Column("UserId", false));
    assertThat(key).asString().startsWith("CompositeKey[").contains("LastAccess");
  }

  @Test
  void itIsAFunctionForFlux() {
    Flux.just(new AccessLog(7, NOON, "u"), new AccessLog(7, null, "u"))
        .map(key)
        .as(StepVerifier::create)
        .expectNext(List.of(7L, NOON, "u"))
        .verifyErrorMessage("part LastAccess of the key must not be null");
  }

  @Test
  void everyTypeOfAKeyIsTaken() {
    UUID uuid = new UUID(1, 2);
    LocalDate day = LocalDate.of(2024, 2, 29);
    assertThat(only(5)).isEqualTo(5L);
    assertThat(only(Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE);
    assertThat(only("a")).isEqualTo("a");
    assertThat(only(false)).isEqualTo(false);
    assertThat(only(NOON)).isEqualTo(NOON);
    assertThat(only(day)).isEqualTo(day);
    assertThat(only(uuid)).isEqualTo(uuid.toString());
    assertThat(only(new byte[] {1, 2})).isEqualTo(new byte[] {1, 2});
  }

  @Test
  void theListCannotBeChangedAndAnArrayIsCopied() {
    byte[] bytes = {1, 2};
    List<Object> values = ofOne().apply(new Object[] {bytes});
    bytes[0] = 9;
    assertThat(values).containsExactly(new byte[] {1, 2});
    assertThatThrownBy(() -> values.set(0, "x")).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> key.columns().remove(0))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void anotherTypeIsRefusedByName() {
    assertThatThrownBy(() -> only(BigDecimal.ONE))
        .isExactlyInstanceOf(KeyFormatException.class)
        .hasMessage(
            "part k of the key must be a Long, Integer, String, byte[], Boolean, Instant,"
                + " LocalDate or UUID, was a java.math.BigDecimal");
  }

  @Test
  void aTextThatIsNotUnicodeIsRefusedByName() {
    assertThatThrownBy(() -> only("a\ud83d"))
        .isExactlyInstanceOf(KeyFormatException.class)
        .hasMessage(
            "part k of the key must be Unicode, has the unpaired surrogate U+D83D at index 1");
  }

  static List<Object> outOfRange() {
    return List.of(
        Instant.parse("0000-12-31T23:59:59.999999999Z"),
        Instant.parse("+10000-01-01T00:00:00Z"),
        Instant.MIN,
        Instant.MAX,
        LocalDate.of(0, 12, 31),
        LocalDate.of(10_000, 1, 1));
  }

  @ParameterizedTest
  @MethodSource("outOfRange")
  void aTimeOrDateThatSpannerDoesNotHaveIsRefused(Object value) {
    assertThatThrownBy(() -> only(value))
        .isExactlyInstanceOf(KeyFormatException.class)
        .hasMessageStartingWith("part k of the key must be from 0001-01-01")
        .hasMessageEndingWith(value.toString().matches("(0000|-).*") ? "was earlier" : "was later");
  }

  @Test
  void anEmptyKeyIsRefused() {
    assertThatThrownBy(() -> only("")).isExactlyInstanceOf(KeyFormatException.class);
    assertThatThrownBy(() -> only(new byte[0])).isExactlyInstanceOf(KeyFormatException.class);
    CompositeKey<String> two =
        CompositeKey.<String>builder().part("a", row -> row).part("b", row -> new byte[0]).build();
    assertThatThrownBy(() -> two.apply(""))
        .isExactlyInstanceOf(KeyFormatException.class)
        .hasMessage("key must not be empty, and all of [a, b] are");
    assertThat(two.apply("x")).hasSize(2);
  }

  @Property
  void aKeyMayHave2048BytesOfUtf8AndNoMore(@ForAll(supplier = Texts.class) String text) {
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    String padded = text + "x".repeat(2_048 - bytes);
    assertThat(only(padded)).isEqualTo(padded);
    assertThatThrownBy(() -> only(padded + "x"))
        .isExactlyInstanceOf(KeyFormatException.class)
        .hasMessage("key of [k] must have at most 2048 bytes, has 2049");
  }

  static List<Object[]> sizes() {
    return List.of(
        new Object[] {1L, 8},
        new Object[] {1, 8},
        new Object[] {true, 1},
        new Object[] {LocalDate.EPOCH, 4},
        new Object[] {NOON, 12},
        new Object[] {new UUID(1, 2), 36},
        new Object[] {new byte[3], 3},
        new Object[] {"\ud83d\ude00", 4},
        new Object[] {"", 0});
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void everyTypeCountsAsSpannerCountsIt(Object value, int size) {
    CompositeKey<byte[]> two =
        CompositeKey.<byte[]>builder().part("a", row -> value).part("b", row -> row).build();
    assertThat(two.apply(new byte[2_048 - size])).hasSize(2);
    assertThatThrownBy(() -> two.apply(new byte[2_049 - size]))
        .isExactlyInstanceOf(KeyFormatException.class)
        .hasMessage("key of [a, b] must have at most 2048 bytes, has 2049");
  }

  @Test
  void aKeyWithoutPartsIsRefused() {
    assertThatThrownBy(() -> CompositeKey.builder().build())
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage("key must have at least one part");
  }

  @Test
  void columnsDifferWhateverTheirCase() {
    assertThatThrownBy(
            () ->
                CompositeKey.<String>builder()
                    .part("UserId", row -> row)
                    .descending("userid", row -> row))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage("columns of a key must differ, has 'userid' twice");
  }

  @Test
  void aKeyHasUpTo16Columns() {
    CompositeKey.Builder<Integer> builder = builder(16);
    assertThat(builder.build().apply(1)).hasSize(16);
    assertThatThrownBy(() -> builder.part("c16", row -> row))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage("key must have at most 16 columns, 'c16' is one more");
  }

  private static CompositeKey.Builder<Integer> builder(int columns) {
    CompositeKey.Builder<Integer> builder = CompositeKey.builder();
    IntStream.range(0, columns).forEach(i -> builder.part("c" + i, Function.identity()));
    return builder;
  }

  @Test
  void moreThanThreeColumnsAreLoggedOnceWhenTheKeyIsBuilt() {
    Logger logger = (Logger) LoggerFactory.getLogger(CompositeKey.class);
    ListAppender<ILoggingEvent> logged = new ListAppender<>();
    logged.start();
    logger.addAppender(logged);
    try {
      builder(3).build().apply(1);
      assertThat(logged.list).isEmpty();
      CompositeKey<Integer> wide = builder(4).build();
      wide.apply(1);
      wide.apply(2);
      assertThat(logged.list)
          .extracting(ILoggingEvent::getFormattedMessage)
          .containsExactly(
              "A key of 4 columns: 3 or fewer keep rows and indexes small: [c0, c1, c2, c3]");
    } finally {
      logger.detachAppender(logged);
    }
  }
}
