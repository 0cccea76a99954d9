package io.millrace.key;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyHashTest {

  /** What Spanner's own function gave. */
  @ParameterizedTest
  @CsvSource({
    "'', -7286425919675154353",
    "foo, 6150913649986995171",
    "ünïcödé, -3285170151344512398",
  })
  void farmFingerprintIsTheServers(String text, long fingerprint) {
    assertThat(KeyHash.FARM_FINGERPRINT.toLong(text.getBytes(UTF_8))).isEqualTo(fingerprint);
  }

  /**
   * MD5: RFC 1321, A.5. SHA-256: FIPS 180-2, B.1. CRC-32C: RFC 3720, B.4, and the check value of
   * its polynomial. MurmurHash3: the reference implementation.
   */
  @ParameterizedTest
  @CsvSource({
    "MD5, '', d41d8cd98f00b204e9800998ecf8427e",
    "MD5, abc, 900150983cd24fb0d6963f7d28e17f72",
    "SHA_256, abc, ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    "MURMUR3, '', 00000000000000000000000000000000",
    "MURMUR3, hello, cbd8a7b341bd9b025b1e906a48ae1d19",
    "CRC32C, '', 00000000",
    "CRC32C, 123456789, e3069283",
    "FARM_FINGERPRINT, foo, 555c6f602f9383e3",
  })
  void digestsArePrintedTheUsualWay(KeyHash hash, String text, String hex) {
    assertThat(hash.toHex(text.getBytes(UTF_8))).isEqualTo(hex);
  }

  @Test
  void theChecksumIsUnsigned() {
    assertThat(KeyHash.CRC32C.toLong("123456789".getBytes(UTF_8))).isEqualTo(0xe3069283L);
    assertThat(KeyHash.CRC32C.toLong(HexFormat.of().parseHex("00".repeat(32))))
        .as("RFC 3720, 32 bytes of zeros")
        .isEqualTo(0x8a9136aaL);
  }

  @Property
  void theNumberIsTheFirstDigitsOfThePrintedForm(@ForAll byte[] bytes) {
    for (KeyHash hash : KeyHash.values()) {
      String hex = hash.toHex(bytes);
      String digits = hex.substring(0, Math.min(16, hex.length()));
      assertThat(hash.toLong(bytes)).as("%s", hash).isEqualTo(Long.parseUnsignedLong(digits, 16));
    }
  }
}
