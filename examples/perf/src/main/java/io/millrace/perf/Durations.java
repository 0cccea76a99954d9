package io.millrace.perf;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a time as people write it: {@code 10ms}. */
final class Durations implements ITypeConverter<Duration> {

  private static final Pattern FORM = Pattern.compile("(\\d{1,9})(us|ms|s|m)");
  private static final Map<String, ChronoUnit> UNITS =
      Map.of(
          "us", ChronoUnit.MICROS,
          "ms", ChronoUnit.MILLIS,
          "s", ChronoUnit.SECONDS,
          "m", ChronoUnit.MINUTES);

  @Override
  public Duration convert(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new TypeConversionException(
          "'" + text + "' is not a time; write a number and us, ms, s or m, for example 10ms");
    }
    return Duration.of(Long.parseLong(form.group(1)), UNITS.get(form.group(2)));
  }

  /** Milliseconds with three digits behind the point; with six, where there are few. */
  static String millis(long nanos) {
    return String.format(Locale.ROOT, nanos < 10_000 ? "%.6f" : "%.3f", nanos / 1e6);
  }

  /** Milliseconds, with as many digits as it takes: {@code 2.5 ms}. */
  static String text(Duration time) {
    double millis = time.toNanos() / 1e6;
    return millis == Math.rint(millis) ? (long) millis + " ms" : millis + " ms";
  }
}
