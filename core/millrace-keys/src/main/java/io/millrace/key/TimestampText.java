package io.millrace.key;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.time.Instant;
import java.time.ZoneId;

/** A point in time as the server prints it in one zone: see {@link KeyEncoder#timestamp}. */
final class TimestampText implements KeyEncoder<Instant> {

  private final ZoneId zone;

  TimestampText(ZoneId zone) {
    this.zone = zone;
  }

  @Override
  public byte[] encode(Instant value) {
    ServerCalendar.require("a timestamp", NullKeys.refuse(value));
    int minutes = zone.getRules().getOffset(value).getTotalSeconds() / 60;
    // Instant prints no fraction, or 3, 6 or 9 digits of it, as the server does.
    String local = value.plusSeconds(minutes * 60L).toString();
    String text = local.replace("+", "").replace('T', ' ').replace("Z", offset(minutes));
    return text.getBytes(US_ASCII);
  }

  private static String offset(int minutes) {
    int distance = Math.abs(minutes);
    String hours = (minutes < 0 ? "-" : "+") + twoDigits(distance / 60);
    return distance % 60 == 0 ? hours : hours + ":" + twoDigits(distance % 60);
  }

  private static String twoDigits(int number) {
    return Integer.toString(100 + number).substring(1);
  }
}
