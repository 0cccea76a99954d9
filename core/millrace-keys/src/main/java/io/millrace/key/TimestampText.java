package io.millrace.key;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;

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
    LocalDateTime local =
        LocalDateTime.ofEpochSecond(
            value.getEpochSecond() + minutes * 60L, value.getNano(), ZoneOffset.UTC);
    StringBuilder text = new StringBuilder(38);
    appendDigits(text, local.getYear(), 4);
    appendDigits(text.append('-'), local.getMonthValue(), 2);
    appendDigits(text.append('-'), local.getDayOfMonth(), 2);
    appendDigits(text.append(' '), local.getHour(), 2);
    appendDigits(text.append(':'), local.getMinute(), 2);
    appendDigits(text.append(':'), local.getSecond(), 2);
    appendFraction(text, local.getNano());
    appendOffset(text, minutes);
    return text.toString().getBytes(US_ASCII);
  }

  private static void appendFraction(StringBuilder text, int nanos) {
    if (nanos == 0) {
      return;
    }
    text.append('.');
    if (nanos % 1_000_000 == 0) {
      appendDigits(text, nanos / 1_000_000, 3);
    } else if (nanos % 1_000 == 0) {
      appendDigits(text, nanos / 1_000, 6);
    } else {
      appendDigits(text, nanos, 9);
    }
  }

  private static void appendOffset(StringBuilder text, int minutes) {
    text.append(minutes < 0 ? '-' : '+');
    int distance = Math.abs(minutes);
    appendDigits(text, distance / 60, 2);
    if (distance % 60 != 0) {
      appendDigits(text.append(':'), distance % 60, 2);
    }
  }

  /** Appends a number from 0 on, with zeros before it up to a width. */
  private static void appendDigits(StringBuilder text, int number, int width) {
    String digits = Integer.toString(number);
    for (int i = digits.length(); i < width; i++) {
      text.append('0');
    }
    text.append(digits);
  }
}
