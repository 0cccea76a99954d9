package io.millrace.key;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.ByteArray;
import com.google.cloud.Date;
import com.google.cloud.Timestamp;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.Statement;
import com.google.cloud.spanner.Type;
import com.google.cloud.spanner.Value;
import io.millrace.test.emulator.EmulatorDatabase;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each function that the server has too gives what the server gives, bit for bit. */
abstract class ServerAgreement {

  /** The zone of a database that was given none. */
  static final ZoneId DEFAULT_ZONE = ZoneId.of("America/Los_Angeles");

  private static final int RANDOM = 1_000;
  private static final long SEED = 19_700_101;

  private EmulatorDatabase database;

  @BeforeEach
  void connect(EmulatorDatabase created) {
    database = created;
  }

  String byDialect(String googleSql, String postgreSql) {
    return database.dialect() == Dialect.POSTGRESQL ? postgreSql : googleSql;
  }

  /** Values, and the parameter that sends them. */
  record Arrays<T>(List<T> values, Value parameter) {}

  static Arrays<Long> longs(List<Long> values) {
    return new Arrays<>(values, Value.int64Array(values));
  }

  static Arrays<String> strings(List<String> values) {
    return new Arrays<>(values, Value.stringArray(values));
  }

  static Arrays<byte[]> byteArrays(List<byte[]> values) {
    return new Arrays<>(
        values, Value.bytesArray(values.stream().map(ByteArray::copyFrom).toList()));
  }

  static Arrays<Boolean> booleans(List<Boolean> values) {
    return new Arrays<>(values, Value.boolArray(values));
  }

  static Arrays<LocalDate> dates(List<LocalDate> values) {
    return new Arrays<>(
        values, Value.dateArray(values.stream().map(ServerAgreement::date).toList()));
  }

  static Arrays<Instant> instants(List<Instant> values) {
    return new Arrays<>(
        values, Value.timestampArray(values.stream().map(ServerAgreement::timestamp).toList()));
  }

  static Date date(LocalDate value) {
    return Date.fromYearMonthDay(value.getYear(), value.getMonthValue(), value.getDayOfMonth());
  }

  static Timestamp timestamp(Instant value) {
    return Timestamp.ofTimeSecondsAndNanos(value.getEpochSecond(), value.getNano());
  }

  /** Compares what the server gives for {@code x}, each of the inputs, with what we give. */
  <T> void assertAgreement(Arrays<T> inputs, String expression, Function<? super T, ?> ours) {
    assertAgreement(expression, inputs.values(), evaluate(inputs, expression), ours);
  }

  /** Compares what was made of the server's answers with what we give. */
  <T> void assertAgreement(
      String description, List<T> inputs, List<?> theirs, Function<? super T, ?> ours) {
    assertThat(theirs).hasSize(inputs.size()).hasSizeGreaterThanOrEqualTo(1_000);
    for (int i = 0; i < theirs.size(); i++) {
      T input = inputs.get(i);
      assertThat((Object) ours.apply(input))
          .as("%s for value %d, %s", description, i, input)
          .isEqualTo(theirs.get(i));
    }
  }

  /** Asks for the expression's value for {@code x}, each of the inputs. */
  List<Object> evaluate(Arrays<?> inputs, String expression) {
    String from =
        byDialect(
            "UNNEST(@p1) AS x WITH OFFSET AS place",
            "unnest($1) WITH ORDINALITY AS inputs(x, place)");
    Statement query =
        Statement.newBuilder("SELECT " + expression + " FROM " + from + " ORDER BY place")
            .bind("p1")
            .to(inputs.parameter())
            .build();
    List<Object> results = new ArrayList<>();
    try (ResultSet rows = database.client().singleUse().executeQuery(query)) {
      while (rows.next()) {
        results.add(value(rows));
      }
    }
    return results;
  }

  /** A number, a text, or the hexadecimal digits of bytes. */
  private static Object value(ResultSet row) {
    Type.Code type = row.getColumnType(0).getCode();
    return switch (type) {
      case INT64 -> row.getLong(0);
      case BYTES -> HexFormat.of().formatHex(row.getBytes(0).toByteArray());
      default -> row.getString(0);
    };
  }

  @ParameterizedTest
  @EnumSource
  void bitReversal(BitReversal reversal) {
    boolean preserveSign = reversal == BitReversal.PRESERVING_SIGN;
    assertAgreement(
        longs(),
        byDialect("BIT_REVERSE(x, %s)", "spanner.bit_reverse(x, %s)").formatted(preserveSign),
        reversal::applyAsLong);
  }

  @Test
  void fingerprintOfStrings() {
    assertAgreement(
        strings(), fingerprint("x"), text -> KeyHash.FARM_FINGERPRINT.toLong(utf8(text)));
  }

  @Test
  void fingerprintOfBytes() {
    assertAgreement(byteArrays(), fingerprint("x"), KeyHash.FARM_FINGERPRINT::toLong);
  }

  @Test
  void sha256() {
    assertAgreement(
        byteArrays(), byDialect("TO_HEX(SHA256(x))", "sha256(x)"), KeyHash.SHA_256::toHex);
  }

  @Test
  void textOfNumbers() {
    assertSameText(longs(), castToText("x"), KeyEncoder.int64());
  }

  @Test
  void textOfBooleans() {
    assertSameText(booleans(Inputs.booleans()), castToText("x"), KeyEncoder.bool());
  }

  @Test
  void textOfDates() {
    assertSameText(dates(Inputs.dates()), castToText("x"), KeyEncoder.date());
  }

  @Test
  void textOfTimestamps() {
    assertSameText(instants(), castToText("x"), KeyEncoder.timestamp(DEFAULT_ZONE));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 64, 1_000, 2_048, 2_147_483_648L})
  void shards(long n) {
    Arrays<String> keys = strings();
    String floorMod = "MOD(MOD(%1$s, %2$d) + %2$d, %2$d)".formatted(fingerprint("x"), n);
    assertAgreement(keys, floorMod, Shards.farmFingerprint(n));
    String mod = "MOD(%s, %d)".formatted(fingerprint("x"), n);
    assertAgreement(keys, mod, Shards.farmFingerprint(n).preservingSign());
    assertAgreement(byteArrays(), floorMod, Shards.farmFingerprint(n, KeyEncoder.bytes()));
  }

  @Test
  void shardsOfNumbersAndOfTimestamps() {
    String mod = "MOD(" + fingerprint(castToText("x")) + ", 2048)";
    assertAgreement(
        longs(), mod, Shards.farmFingerprint(2048, KeyEncoder.int64()).preservingSign());
    assertAgreement(
        instants(),
        mod,
        Shards.farmFingerprint(2048, KeyEncoder.timestamp(DEFAULT_ZONE)).preservingSign());
  }

  @Test
  void netstrings() {
    assertSameText(strings(), netstring("x"), KeyEncoder.netstrings(KeyEncoder.string()));
    assertSameText(
        instants(),
        netstring(castToText("x")),
        KeyEncoder.netstrings(KeyEncoder.timestamp(DEFAULT_ZONE)));
    assertSameText(
        strings(),
        byDialect("CONCAT(%s, %s)", "%s || %s")
            .formatted(netstring("x"), netstring("SUBSTR(x, 2, 3)")),
        KeyEncoder.netstrings(
            KeyEncoder.string(), KeyEncoder.string().from(ServerAgreement::secondToFourth)));
  }

  private static String secondToFourth(String text) {
    int[] points = text.codePoints().skip(1).limit(3).toArray();
    return new String(points, 0, points.length);
  }

  static byte[] utf8(String text) {
    return KeyEncoder.string().encode(text);
  }

  private String fingerprint(String text) {
    return byDialect("FARM_FINGERPRINT(%s)", "spanner.farm_fingerprint(%s)").formatted(text);
  }

  private String castToText(String value) {
    return byDialect("CAST(%s AS STRING)", "CAST(%s AS varchar)").formatted(value);
  }

  /** The expressions that {@link KeyEncoder#netstrings} names. */
  private String netstring(String text) {
    return byDialect(
            "CONCAT(CAST(BYTE_LENGTH(%1$s) AS STRING), ':', %1$s, ',')",
            "CAST(length(CAST(%1$s AS bytea)) AS varchar) || ':' || %1$s || ','")
        .formatted(text);
  }

  static Arrays<Long> longs() {
    return longs(Inputs.longs());
  }

  static Arrays<String> strings() {
    return strings(Inputs.strings());
  }

  static Arrays<byte[]> byteArrays() {
    return byteArrays(Inputs.byteArrays());
  }

  static Arrays<Instant> instants() {
    return instants(Inputs.instants());
  }

  <T> void assertSameText(Arrays<T> inputs, String expression, KeyEncoder<T> encoder) {
    assertAgreement(
        inputs,
        "CAST(" + expression + byDialect(" AS BYTES)", " AS bytea)"),
        value -> HexFormat.of().formatHex(encoder.encode(value)));
  }

  @Test
  void reversedStrings() {
    List<String> texts = Inputs.strings();
    assertThat(texts)
        .filteredOn(text -> text.codePoints().anyMatch(Character::isSupplementaryCodePoint))
        .hasSizeGreaterThanOrEqualTo(500);
    assertAgreement(strings(texts), "REVERSE(x)", ReversedString.BY_CODE_POINT);
  }

  @ParameterizedTest
  @ValueSource(ints = {6, 12, 19})
  void reversedDecimals(int width) {
    long max = new FixedDecimal(width).max();
    List<Long> numbers = new ArrayList<>(List.of(0L, 1L, 10L, max, max - 1));
    new Random(SEED).longs(RANDOM, 0, max).forEach(numbers::add);
    assertAgreement(
        longs(numbers),
        byDialect(
            "REVERSE(LPAD(CAST(x AS STRING), " + width + ", '0'))",
            "reverse(lpad(CAST(x AS varchar), " + width + ", '0'))"),
        ReversedDecimal.ofWidth(width));
  }

  @Test
  void prefixesOfSha256() {
    List<String> texts = Inputs.strings();
    String expression = byDialect("SHA256(x)", "sha256(CAST(x AS bytea))");
    List<Object> theirs = evaluate(strings(texts), expression);
    HashPrefix codec = HashPrefix.of(KeyHash.SHA_256, 8).separator("-");
    assertAgreement(
        expression,
        texts,
        theirs.stream().map(digest -> ((String) digest).substring(0, 8)).toList(),
        codec::prefix);
  }

  @ParameterizedTest
  @ValueSource(longs = {7, 2_147_483_648L})
  void timeBuckets(long count) {
    List<Instant> times =
        Inputs.instants().stream().map(time -> time.truncatedTo(ChronoUnit.MICROS)).toList();
    assertThat(times)
        .filteredOn(time -> time.isBefore(Instant.EPOCH) && time.getNano() % 1_000_000 != 0)
        .hasSizeGreaterThanOrEqualTo(200);
    for (ChronoUnit unit : List.of(ChronoUnit.SECONDS, ChronoUnit.MILLIS, ChronoUnit.MICROS)) {
      assertAgreement(
          instants(times),
          "MOD(MOD(%1$s, %2$d) + %2$d, %2$d)".formatted(unixTime(unit), count),
          TimeBuckets.of(count, unit));
    }
  }

  private String unixTime(ChronoUnit unit) {
    long perSecond = ChronoUnit.SECONDS.getDuration().dividedBy(unit.getDuration());
    return byDialect(
        "UNIX_" + unit.name() + "(x)",
        "CAST(floor(extract(epoch from x) * " + perSecond + ") AS bigint)");
  }

  @Test
  void theServersUuidsAreOfVersion4() {
    List<Long> places = Stream.iterate(0L, place -> place + 1).limit(1_000).toList();
    List<Object> theirs =
        evaluate(longs(places), byDialect("GENERATE_UUID()", "spanner.generate_uuid()"));
    assertThat(theirs)
        .hasSize(1_000)
        .allSatisfy(
            text -> {
              UUID uuid = UuidLayout.STRING.decode((String) text);
              assertThat(uuid.version()).isEqualTo(4);
              assertThat(UuidLayout.STRING.apply(uuid)).isEqualTo(text);
            });
  }
}
