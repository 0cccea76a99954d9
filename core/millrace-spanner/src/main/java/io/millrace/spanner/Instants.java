package io.millrace.spanner;

import com.google.cloud.Timestamp;
import java.time.Instant;

/** Spanner's timestamps as Java's, with their nanoseconds, and the other way round. */
final class Instants {

  private Instants() {}

  static Instant of(Timestamp timestamp) {
    return Instant.ofEpochSecond(timestamp.getSeconds(), timestamp.getNanos());
  }

  static Timestamp toTimestamp(Instant instant) {
    return Timestamp.ofTimeSecondsAndNanos(instant.getEpochSecond(), instant.getNano());
  }
}
