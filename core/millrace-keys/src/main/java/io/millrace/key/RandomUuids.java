package io.millrace.key;

import java.nio.ByteBuffer;
import java.security.DrbgParameters;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Generates UUIDs of version 4 (RFC 9562), whose 122 random bits spread rows over the whole key
 * space. {@link UuidLayout} encodes them.
 *
 * <pre>{@code
 * RandomUuids uuids = RandomUuids.create();
 * orders.transform(uuids.assign(Order::withId))
 * }</pre>
 *
 * <p>The guide "Schema design best practices" names their cost: they take 16 bytes or more in the
 * row and in every reference to it, they have no meaning, and rows that were created together are
 * not stored together.
 *
 * <p>This function is random: it ignores its input and returns another UUID each time. {@link
 * UUID#randomUUID()} may wait for the operating system's entropy on any call; this class does so
 * only in {@link #create}.
 */
public final class RandomUuids implements KeyFunction<Object, UUID> {

  private static final int SECURITY_STRENGTH = 128;
  private static final long VERSION_MASK = 0xF000L;
  private static final long VERSION_4 = 0x4000L;
  private static final long VARIANT_MASK = 0xC000_0000_0000_0000L;
  private static final long VARIANT_RFC = 0x8000_0000_0000_0000L;

  private final Supplier<? extends RandomGenerator> random;

  private RandomUuids(Supplier<? extends RandomGenerator> random) {
    this.random = random;
  }

  /**
   * Creates a generator from a {@code DRBG} (NIST SP 800-90A), seeded here. Seeding reads the
   * operating system's entropy and may block: call this at start-up, not on an event loop, and keep
   * the result. Generating UUIDs reads no entropy; concurrent calls take turns of about a
   * microsecond.
   *
   * @return a generator of unpredictable UUIDs
   * @throws IllegalStateException if the Java runtime has no {@code DRBG}
   */
  public static RandomUuids create() {
    try {
      SecureRandom random =
          SecureRandom.getInstance(
              "DRBG",
              DrbgParameters.instantiation(
                  SECURITY_STRENGTH, DrbgParameters.Capability.NONE, null));
      random.nextBytes(new byte[1]); // it seeds itself at the first use
      return new RandomUuids(() -> random);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java runtime has no DRBG", e);
    }
  }

  /**
   * Creates a generator from a source of randomness.
   *
   * @param random supplies the source of each UUID, on the calling thread
   * @return a generator as good as {@code random}
   */
  public static RandomUuids from(Supplier<? extends RandomGenerator> random) {
    return new RandomUuids(Objects.requireNonNull(random, "random"));
  }

  /** {@return a random UUID of version 4 and the variant of RFC 9562} */
  public UUID next() {
    byte[] bits = new byte[2 * Long.BYTES];
    random.get().nextBytes(bits);
    ByteBuffer buffer = ByteBuffer.wrap(bits);
    return new UUID(
        (buffer.getLong() & ~VERSION_MASK) | VERSION_4,
        (buffer.getLong() & ~VARIANT_MASK) | VARIANT_RFC);
  }

  /**
   * Returns a random UUID.
   *
   * @param key ignored
   * @return a UUID of version 4 and the variant of RFC 9562
   */
  @Override
  public UUID apply(Object key) {
    return next();
  }

  @Override
  public String toString() {
    return "RandomUuids";
  }
}
