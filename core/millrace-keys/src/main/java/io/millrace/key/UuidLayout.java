package io.millrace.key;

import io.millrace.internal.LogSafe;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.function.Function;

/**
 * Encodes a UUID in one of the layouts of the guide "Schema design best practices".
 *
 * <p>Both directions reject time-based UUIDs (versions 1, 2, 6 and 7 of RFC 9562): those of one
 * moment begin with the same bits, and so cause the hotspot that a UUID should avoid. Versions 3,
 * 4, 5 and 8 are accepted; others, for example the nil UUID, are rejected.
 *
 * @param <V> the type that is stored
 */
public final class UuidLayout<V> implements KeyCodec<UUID, V> {

  private static final int IETF = 2;

  /**
   * 36 characters in lower case: {@code STRING(36)} or {@code varchar(36)}, as returned by {@code
   * GENERATE_UUID()} and {@code spanner.generate_uuid()}. No other form is decoded.
   */
  public static final UuidLayout<String> STRING =
      new UuidLayout<>("STRING", UUID::toString, UuidLayout::parse);

  /** Two numbers: {@code INT64} and {@code INT64}, or {@code bigint} and {@code bigint}. */
  public static final UuidLayout<UuidLongs> LONGS =
      new UuidLayout<>(
          "LONGS",
          uuid -> new UuidLongs(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits()),
          longs -> new UUID(longs.mostSignificant(), longs.leastSignificant()));

  /** 16 bytes, in the order of the text: {@code BYTES(16)} or {@code bytea}. */
  public static final UuidLayout<byte[]> BYTES =
      new UuidLayout<>("BYTES", UuidLayout::bytes, UuidLayout::read);

  private final String name;
  private final Function<UUID, V> encoder;
  private final Function<V, UUID> decoder;

  private UuidLayout(String name, Function<UUID, V> encoder, Function<V, UUID> decoder) {
    this.name = name;
    this.encoder = encoder;
    this.decoder = decoder;
  }

  /**
   * Encodes a UUID in this layout.
   *
   * @return the stored form; a new array for {@link #BYTES}
   * @throws KeyFormatException if {@code key} is null, time-based, or of an unknown version
   */
  @Override
  public V apply(UUID key) {
    return encoder.apply(spread(NullKeys.refuse(key)));
  }

  @Override
  public UUID decode(V value) {
    return spread(decoder.apply(NullKeys.refuse(value)));
  }

  private static UUID spread(UUID uuid) {
    int version = uuid.variant() == IETF ? uuid.version() : 0;
    return switch (version) {
      case 3, 4, 5, 8 -> uuid;
      case 1, 2, 6, 7 ->
          throw new KeyFormatException(
              "UUID must not be time-based, which causes a hotspot; was "
                  + uuid
                  + " of version "
                  + version);
      default ->
          throw new KeyFormatException(
              "UUID must be of version 3, 4, 5 or 8 of RFC 9562, was " + uuid);
    };
  }

  private static UUID parse(String text) {
    try {
      UUID uuid = UUID.fromString(text);
      if (uuid.toString().equals(text)) {
        return uuid;
      }
    } catch (IllegalArgumentException e) {
      // refused below, like every other form that fromString accepts
    }
    throw new KeyFormatException(
        "UUID must be 36 characters in lower case, as 7d444840-9dc0-41d1-b245-5ffdce74fad2, was "
            + LogSafe.quote(text));
  }

  private static byte[] bytes(UUID uuid) {
    return ByteBuffer.allocate(2 * Long.BYTES)
        .putLong(uuid.getMostSignificantBits())
        .putLong(uuid.getLeastSignificantBits())
        .array();
  }

  private static UUID read(byte[] bytes) {
    if (bytes.length != 2 * Long.BYTES) {
      throw new KeyFormatException("UUID must be 16 bytes, was " + bytes.length);
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new UUID(buffer.getLong(), buffer.getLong());
  }

  @Override
  public String toString() {
    return "UuidLayout." + name;
  }
}
