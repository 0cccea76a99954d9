package io.millrace.key;

import java.time.Instant;
import java.time.ZoneId;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each function that the server has too gives what the server gives, bit for bit. */
abstract class ServerAgreement extends ServerComparison {

  /** The zone of a database that was given none. */
  static final ZoneId DEFAULT_ZONE = ZoneId.of("America/Los_Angeles");

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
}
