package io.millrace.key;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Objects;

/** Parts of a key, each led by its length: see {@link KeyEncoder#netstrings}. */
final class Netstrings<T> implements KeyEncoder<T> {

  private final List<KeyEncoder<? super T>> parts;

  @SafeVarargs
  Netstrings(KeyEncoder<? super T>... parts) {
    if (Objects.requireNonNull(parts, "parts").length == 0) {
      throw new IllegalArgumentException("netstrings must have at least 1 part, had 0");
    }
    this.parts = List.of(parts);
  }

  @Override
  public byte[] encode(T value) {
    NullKeys.refuse(value);
    ByteArrayOutputStream netstrings = new ByteArrayOutputStream();
    for (int i = 0; i < parts.size(); i++) {
      byte[] part = encodePart(i, value);
      netstrings.writeBytes((part.length + ":").getBytes(US_ASCII));
      netstrings.writeBytes(part);
      netstrings.write(',');
    }
    return netstrings.toByteArray();
  }

  private byte[] encodePart(int i, T value) {
    try {
      return parts.get(i).encode(value);
    } catch (KeyFormatException e) {
      throw new KeyFormatException(
          "part " + (i + 1) + " of " + parts.size() + ": " + e.getMessage());
    }
  }
}
