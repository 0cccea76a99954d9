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
import io.millrace.emulator.EmulatorDatabase;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each function that the server has too gives what the server gives, bit for bit. */
abstract class ServerAgreement {

  /** The zone of a database that was given none. */
  static final ZoneId DEFAULT_ZONE = ZoneId.of("America/Los_Angeles");

  private EmulatorDatabase database;

  @BeforeEach
  void connect(EmulatorDatabase database) {
    this.database = database;
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
    assertSameText(booleans(), castToText("x"), KeyEncoder.bool());
  }

  @Test
  void textOfDates() {
    assertSameText(dates(), castToText("x"), KeyEncoder.date());
  }

  @Test
  void textOfTimestamps() {
    assertSameText(instants(), castToText("x"), KeyEncoder.timestamp(DEFAULT_ZONE));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 64, 1_000, 2_048, 2_147_483_648L})
  void shards(long n) {
    Arrays<String> keys = strings(Inputs.stringsWithoutTheEmptyOne());
    String floorMod = "MOD(MOD(%1$s, %2$d) + %2$d, %2$d)".formatted(fingerprint("x"), n);
    assertAgreement(keys, floorMod, Shards.farmFingerprint(n));
    String mod = "MOD(%s, %d)".formatted(fingerprint("x"), n);
    assertAgreement(keys, mod, Shards.farmFingerprint(n).preservingSign());
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

  String byDialect(String googleSql, String postgreSql) {
    return database.dialect() == Dialect.POSTGRESQL ? postgreSql : googleSql;
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

  /** Values, and the parameter that sends them. */
  record Arrays<T>(List<T> values, Value parameter) {}

  static Arrays<Long> longs() {
    return new Arrays<>(Inputs.longs(), Value.int64Array(Inputs.longs()));
  }

  static Arrays<String> strings() {
    return strings(Inputs.strings());
  }

  private static Arrays<String> strings(List<String> values) {
    return new Arrays<>(values, Value.stringArray(values));
  }

  static Arrays<byte[]> byteArrays() {
    List<byte[]> values = Inputs.byteArrays();
    return new Arrays<>(
        values, Value.bytesArray(values.stream().map(ByteArray::copyFrom).toList()));
  }

  private static Arrays<Boolean> booleans() {
    return new Arrays<>(Inputs.booleans(), Value.boolArray(Inputs.booleans()));
  }

  private static Arrays<LocalDate> dates() {
    List<LocalDate> values = Inputs.dates();
    return new Arrays<>(
        values, Value.dateArray(values.stream().map(ServerAgreement::date).toList()));
  }

  static Arrays<Instant> instants() {
    List<Instant> values = Inputs.instants();
    return new Arrays<>(
        values, Value.timestampArray(values.stream().map(ServerAgreement::timestamp).toList()));
  }

  static Date date(LocalDate value) {
    return Date.fromYearMonthDay(value.getYear(), value.getMonthValue(), value.getDayOfMonth());
  }

  static Timestamp timestamp(Instant value) {
    return Timestamp.ofTimeSecondsAndNanos(value.getEpochSecond(), value.getNano());
  }

  <T> void assertSameText(Arrays<T> inputs, String expression, KeyEncoder<T> encoder) {
    assertAgreement(
        inputs,
        "CAST(" + expression + byDialect(" AS BYTES)", " AS bytea)"),
        value -> HexFormat.of().formatHex(encoder.encode(value)));
  }

  /** Compares what the server gives for {@code x}, each of the inputs, with what we give. */
  <T> void assertAgreement(Arrays<T> inputs, String expression, Function<T, ?> ours) {
    List<Object> theirs = evaluate(inputs.parameter(), expression);
    assertThat(theirs).hasSize(inputs.values().size()).hasSizeGreaterThanOrEqualTo(1_000);
    for (int i = 0; i < theirs.size(); i++) {
      T input = inputs.values().get(i);
      assertThat((Object) ours.apply(input))
          .as("%s for value %d, %s", expression, i, input)
          .isEqualTo(theirs.get(i));
    }
  }

  private List<Object> evaluate(Value array, String expression) {
    String from =
        byDialect(
            "UNNEST(@p1) AS x WITH OFFSET AS place",
            "unnest($1) WITH ORDINALITY AS inputs(x, place)");
    Statement query =
        Statement.newBuilder("SELECT " + expression + " FROM " + from + " ORDER BY place")
            .bind("p1")
            .to(array)
            .build();
    List<Object> results = new ArrayList<>();
    try (ResultSet rows = database.client().singleUse().executeQuery(query)) {
      while (rows.next()) {
        results.add(value(rows));
      }
    }
    return results;
  }

  /** A number, a string, or the hexadecimal digits of bytes. */
  private static Object value(ResultSet row) {
    Type type = row.getColumnType(0);
    if (type.equals(Type.int64())) {
      return row.getLong(0);
    }
    return type.equals(Type.bytes())
        ? HexFormat.of().formatHex(row.getBytes(0).toByteArray())
        : row.getString(0);
  }
}
