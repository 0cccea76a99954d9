package io.millrace.tools;

import io.millrace.internal.LogSafe;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads and writes durations in a short form: {@code 10ms}. */
public final class Durations implements ITypeConverter<Duration> {

  private static final Pattern TEXT = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(ns|us|ms|s|m|h)");

  private static final long LONGEST = TimeUnit.DAYS.toNanos(366);

  @Override
  public Duration convert(String text) {
    try {
      return Duration.ofNanos(parse(text));
    } catch (IllegalArgumentException refused) {
      throw new TypeConversionException(String.valueOf(refused.getMessage()));
    }
  }

  /**
   * Reads a duration.
   *
   * @return nanoseconds
   * @throws IllegalArgumentException if it is malformed or longer than 8784 hours
   */
  public static long parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "must be a number with ns, us, ms, s, m or h, was " + LogSafe.quote(text));
    }
    double nanos = Double.parseDouble(matcher.group(1)) * nanos(matcher.group(2));
    if (nanos > LONGEST) {
      throw new IllegalArgumentException("must be at most 8784h, was " + LogSafe.quote(text));
    }
    return Math.round(nanos);
  }

  private static long nanos(String unit) {
    return switch (unit) {
      case "ns" -> 1;
      case "us" -> 1_000;
      case "ms" -> 1_000_000;
      case "s" -> TimeUnit.SECONDS.toNanos(1);
      case "m" -> TimeUnit.MINUTES.toNanos(1);
      default -> TimeUnit.HOURS.toNanos(1);
    };
  }

  /** The shortest exact form that {@link #parse} reads. */
  public static String text(Duration duration) {
    return text(duration.toNanos());
  }

  /** The shortest exact form of a duration in nanoseconds that {@link #parse} reads. */
  public static String text(long nanos) {
    for (String unit : new String[] {"h", "m", "s", "ms", "us"}) {
      if (nanos != 0 && nanos % nanos(unit) == 0) {
        return nanos / nanos(unit) + unit;
      }
    }
    return nanos == 0 ? "0s" : nanos + "ns";
  }
}
