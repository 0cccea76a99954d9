package io.millrace.key;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import java.util.HexFormat;

/**
 * A hash of bytes that spreads keys, not for cryptographic use.
 *
 * <p>Every hash has one printed form, {@link #toHex}, and one number, {@link #toLong}: the first 16
 * digits of the printed form, read as a big-endian two's complement number. {@link #CRC32C} has
 * only 8 digits, so its number is from 0 to 2<sup>32</sup> - 1. In GoogleSQL, {@code
 * (CAST(CONCAT('0x', SUBSTR(hex, 1, 8)) AS INT64) << 32) | CAST(CONCAT('0x', SUBSTR(hex, 9, 8)) AS
 * INT64)} converts the printed form to the number.
 */
public enum KeyHash {

  /**
   * FarmHash Fingerprint64, 64 bits. The number is Spanner's {@code FARM_FINGERPRINT(value)} of
   * GoogleSQL and {@code spanner.farm_fingerprint(value)} of PostgreSQL; printed, it has 16 digits.
   */
  FARM_FINGERPRINT(Hashing.farmHashFingerprint64(), Long.BYTES),

  /**
   * MD5 (RFC 1321), 128 bits, printed as the RFC prints it: {@code TO_HEX(MD5(value))} of
   * GoogleSQL.
   */
  MD5(md5(), Byte.BYTES),

  /**
   * SHA-256 (FIPS 180-4), 256 bits, printed as the standard prints it: {@code
   * TO_HEX(SHA256(value))} of GoogleSQL; {@code sha256(value)} of PostgreSQL returns its bytes.
   */
  SHA_256(Hashing.sha256(), Byte.BYTES),

  /**
   * MurmurHash3_x64_128 with seed 0, 128 bits: two words of 64 bits, {@code h1} and {@code h2},
   * each printed as a number of 16 digits. The number is {@code h1}. Programs that print the
   * reference implementation's memory show the bytes of each word in the opposite order.
   */
  MURMUR3(Hashing.murmur3_128(), Long.BYTES),

  /**
   * CRC-32C (RFC 3720), 32 bits, printed as a number of 8 digits. It is a linear checksum: regular
   * keys have regular hashes, which do not look random.
   */
  CRC32C(Hashing.crc32c(), Integer.BYTES);

  private final HashFunction function;

  /** The size of the numbers that Guava writes into the digest least significant byte first. */
  private final int wordBytes;

  KeyHash(HashFunction function, int wordBytes) {
    this.function = function;
    this.wordBytes = wordBytes;
  }

  @SuppressWarnings(
      "deprecation") // deprecated as insecure, which does not matter for spreading keys
  private static HashFunction md5() {
    return Hashing.md5();
  }

  /**
   * Returns the hash as a number.
   *
   * @param bytes the bytes to hash, may be empty
   * @return the first 8 bytes of the printed digest as a big-endian number; of {@link #CRC32C} its
   *     4 bytes, unsigned
   */
  public long toLong(byte[] bytes) {
    long littleEndian = function.hashBytes(bytes).padToLong();
    return wordBytes == Byte.BYTES ? Long.reverseBytes(littleEndian) : littleEndian;
  }

  /**
   * Returns the hash in hexadecimal digits.
   *
   * @param bytes the bytes to hash, may be empty
   * @return the whole digest in lower case: 8 digits of {@link #CRC32C}, 16 of {@link
   *     #FARM_FINGERPRINT}, 32 of {@link #MD5} and {@link #MURMUR3}, 64 of {@link #SHA_256}
   */
  public String toHex(byte[] bytes) {
    byte[] digest = function.hashBytes(bytes).asBytes();
    for (int word = 0; word < digest.length; word += wordBytes) {
      reverse(digest, word, word + wordBytes);
    }
    return HexFormat.of().formatHex(digest);
  }

  private static void reverse(byte[] bytes, int from, int to) {
    for (int i = from, j = to - 1; i < j; i++, j--) {
      byte swapped = bytes[i];
      bytes[i] = bytes[j];
      bytes[j] = swapped;
    }
  }
}
