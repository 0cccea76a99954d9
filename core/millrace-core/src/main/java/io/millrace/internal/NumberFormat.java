package io.millrace.internal;

import io.millrace.InvalidOptionException;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a number is written, such as {@code INV-{yyyy}-{n:6}}. Only the number varies in length, and
 * it stands once, so two numbers of one period never have the same text.
 */
public final class NumberFormat {

  /** A name in braces, or text without braces. */
  private static final Pattern PART = Pattern.compile("\\{([^{}]*)}|([^{}]+)");

  private static final Pattern NUMBER = Pattern.compile("n(?::([1-9]|1[0-9]))?");

  /** The fields besides the number. */
  private static final Map<String, Part> FIELDS =
      Map.of(
          "period", (text, period, date, number) -> text.append(period),
          "yyyy", date("uuuu"),
          "yy", date("uu"),
          "MM", date("MM"),
          "dd", date("dd"));

  private static Part date(String pattern) {
    DateTimeFormatter formatter = DateTimeFormatter.ofPattern(pattern, Locale.ROOT);
    return (text, period, date, number) -> formatter.formatTo(date, text);
  }

  /** Writes a part of the text. */
  @FunctionalInterface
  private interface Part {
    void write(StringBuilder text, String period, LocalDate date, long number);
  }

  private final String pattern;
  private final List<Part> parts = new ArrayList<>();

  /** The fields besides the number, in the order of the pattern. */
  private final Set<String> fields = new LinkedHashSet<>();

  private NumberFormat(String pattern) {
    this.pattern = pattern;
    int numbers = 0;
    Matcher matcher = PART.matcher(pattern);
    int end = 0;
    while (end < pattern.length()) {
      if (!matcher.find(end) || matcher.start() != end) {
        throw refused("must have a } for each {, and no other brace");
      }
      String field = matcher.group(1);
      String literal = matcher.group();
      Matcher number = NUMBER.matcher(field == null ? "" : field);
      if (field == null) {
        parts.add((text, period, date, value) -> text.append(literal));
      } else if (number.matches()) {
        numbers++;
        parts.add(number(number.group(1) == null ? 1 : Integer.parseInt(number.group(1))));
      } else {
        parts.add(field(field));
      }
      end = matcher.end();
    }
    if (numbers != 1) {
      throw refused("must contain {n} or {n:DIGITS} once, such as {n:6}");
    }
  }

  /**
   * Reads a format.
   *
   * @param pattern text with {@code {n}} or {@code {n:DIGITS}} once, and the fields {@code
   *     {period}}, {@code {yyyy}}, {@code {yy}}, {@code {MM}}, {@code {dd}}
   * @throws InvalidOptionException of the option {@code format} if that does not hold
   */
  public static NumberFormat of(String pattern) {
    return new NumberFormat(pattern);
  }

  private static Part number(int leastDigits) {
    return (text, period, date, number) -> {
      String plain = Long.toString(number);
      String digits = number < 0 ? plain.substring(1) : plain;
      text.append(number < 0 ? "-" : "")
          .append("0".repeat(Math.max(0, leastDigits - digits.length())))
          .append(digits);
    };
  }

  private Part field(String name) {
    Part field = FIELDS.get(name);
    if (field == null) {
      throw refused(
          "must contain in braces only period, yyyy, yy, MM, dd, n and n:DIGITS with 1 to 19"
              + " digits, not "
              + LogSafe.quote(name));
    }
    fields.add(name);
    return field;
  }

  private InvalidOptionException refused(String rule) {
    return new InvalidOptionException("format", pattern, rule);
  }

  /**
   * Requires that it has no other field than the number.
   *
   * @throws InvalidOptionException of the option {@code format} if it has one
   */
  public NumberFormat withoutDate() {
    for (String name : fields) {
      throw refused("must not contain {" + name + "}, because these numbers have no period");
    }
    return this;
  }

  /**
   * Writes a number.
   *
   * @param period the label of its period
   * @param date where the parts of a date come from
   * @param number the number; one with more digits than the format has is written in full
   */
  public String format(String period, LocalDate date, long number) {
    StringBuilder text = new StringBuilder();
    parts.forEach(part -> part.write(text, period, date, number));
    return text.toString();
  }

  /** Writes a number, if the format {@linkplain #withoutDate has no other field}. */
  public String format(long number) {
    return format("", LocalDate.EPOCH, number);
  }

  /** The pattern. */
  @Override
  public String toString() {
    return pattern;
  }
}
