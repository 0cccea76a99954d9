package io.millrace.key;

import io.millrace.test.emulator.SpannerTest;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SpannerTest
class GoogleSqlAgreementTest extends ServerAgreement {

  @Test
  void md5() {
    assertAgreement(byteArrays(), "TO_HEX(MD5(x))", KeyHash.MD5::toHex);
    assertAgreement(strings(), "TO_HEX(MD5(x))", text -> KeyHash.MD5.toHex(utf8(text)));
  }

  @Test
  void numbersOfDigests() {
    String number =
        "(CAST(CONCAT('0x', SUBSTR(%1$s, 1, 8)) AS INT64) << 32)"
            + " | CAST(CONCAT('0x', SUBSTR(%1$s, 9, 8)) AS INT64)";
    assertAgreement(byteArrays(), number.formatted("TO_HEX(MD5(x))"), KeyHash.MD5::toLong);
    assertAgreement(byteArrays(), number.formatted("TO_HEX(SHA256(x))"), KeyHash.SHA_256::toLong);
  }

  /** The emulator refuses to set a database's zone; STRING prints as CAST does, in any. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "UTC",
        "America/Los_Angeles",
        "Africa/Monrovia", // -00:44:30 until 1972
        "America/St_Johns",
        "Asia/Kathmandu",
        "Asia/Kolkata",
        "Asia/Tokyo",
        "Australia/Lord_Howe",
        "Europe/Berlin",
        "Europe/London", // -00:01:15 until 1847
        "Pacific/Apia", // without a 30 December 2011
      })
  void textOfTimestampsInAnyZone(String zone) {
    assertSameText(instants(), "STRING(x, '" + zone + "')", KeyEncoder.timestamp(ZoneId.of(zone)));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 32})
  void prefixesOfMd5(int width) {
    assertAgreement(
        strings(), "CONCAT(SUBSTR(TO_HEX(MD5(x)), 1, " + width + "), x)", HashPrefix.md5(width));
  }
}
