package io.millrace.key;

import org.jspecify.annotations.Nullable;

/** Null is bad data: it comes from a row without the value that its key is made of. */
final class NullKeys {

  private NullKeys() {}

  static <T> T refuse(@Nullable T key) {
    if (key == null) {
      throw new KeyFormatException("a key, or a part of one, must not be null");
    }
    return key;
  }
}
