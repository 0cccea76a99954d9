package io.millrace.keys;

import com.google.cloud.Timestamp;
import java.time.Instant;

/** Converts Java's times to those of the Spanner client, and back. */
final class Times {

  private Times() {}

  static Timestamp timestamp(Instant time) {
    return Timestamp.ofTimeSecondsAndNanos(time.getEpochSecond(), time.getNano());
  }

  static Instant instant(Timestamp time) {
    return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
  }
}
