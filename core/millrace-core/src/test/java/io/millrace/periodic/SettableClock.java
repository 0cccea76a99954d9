package io.millrace.periodic;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that tests set. */
final class SettableClock extends Clock {

  private final AtomicReference<Instant> now;
  private final ZoneId zone;

  private SettableClock(AtomicReference<Instant> now, ZoneId zone) {
    this.now = now;
    this.zone = zone;
  }

  static SettableClock at(String instant) {
    return new SettableClock(new AtomicReference<>(Instant.parse(instant)), ZoneOffset.UTC);
  }

  void set(String instant) {
    now.set(Instant.parse(instant));
  }

  @Override
  public ZoneId getZone() {
    return zone;
  }

  @Override
  public Clock withZone(ZoneId other) {
    return new SettableClock(now, other);
  }

  @Override
  public Instant instant() {
    return Objects.requireNonNull(now.get());
  }
}
