package io.millrace.internal;

import io.millrace.InvalidOptionException;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a number is written, such as {@code INV-{yyyy}-{n:6}}. Only the number varies in length, and
 * it stands once, so two numbers of one day never have the same text.
 */
public final class NumberFormat {

  /** A name in braces, or text without braces. */
  private static final Pattern PART = Pattern.compile("\\{([^{}]*)}|([^{}]+)");

  private static final Pattern NUMBER = Pattern.compile("n(?::([1-9]|1[0-9]))?");

  /** The parts of a date. */
  private static final Map<String, DateTimeFormatter> DATES = new LinkedHashMap<>();

  static {
    DATES.put("yyyy", DateTimeFormatter.ofPattern("uuuu", Locale.ROOT));
    DATES.put("yy", DateTimeFormatter.ofPattern("uu", Locale.ROOT));
    DATES.put("MM", DateTimeFormatter.ofPattern("MM", Locale.ROOT));
    DATES.put("dd", DateTimeFormatter.ofPattern("dd", Locale.ROOT));
  }

  /**
   * A part of the text.
   *
   * @param text literal text, or the name of a part of a date
   * @param date writes a part of a date; null for other parts
   * @param digits the least number of digits of the number; 0 for other parts
   */
  private record Part(String text, @Nullable DateTimeFormatter date, int digits) {

    boolean isNumber() {
      return digits > 0;
    }
  }

  private final String pattern;
  private final List<Part> parts;

  private NumberFormat(String pattern, List<Part> parts) {
    this.pattern = pattern;
    this.parts = parts;
  }

  /**
   * Reads a format.
   *
   * @param pattern text with {@code {n}} or {@code {n:DIGITS}} once, and the parts of a date:
   *     {@code {yyyy}}, {@code {yy}}, {@code {MM}}, {@code {dd}}
   * @throws InvalidOptionException of the option {@code format} if that does not hold
   */
  public static NumberFormat of(String pattern) {
    List<Part> parts = new ArrayList<>();
    Matcher matcher = PART.matcher(pattern);
    int end = 0;
    while (end < pattern.length()) {
      if (!matcher.find(end) || matcher.start() != end) {
        throw refused(pattern, "must have a } for each {, and no other brace");
      }
      String field = matcher.group(1);
      parts.add(field == null ? new Part(matcher.group(), null, 0) : field(pattern, field));
      end = matcher.end();
    }
    if (parts.stream().filter(Part::isNumber).count() != 1) {
      throw refused(pattern, "must contain {n} or {n:DIGITS} once, such as {n:6}");
    }
    return new NumberFormat(pattern, List.copyOf(parts));
  }

  private static Part field(String pattern, String name) {
    Matcher number = NUMBER.matcher(name);
    if (number.matches()) {
      String digits = number.group(1);
      return new Part(name, null, digits == null ? 1 : Integer.parseInt(digits));
    }
    DateTimeFormatter date = DATES.get(name);
    if (date == null) {
      throw refused(
          pattern,
          "must contain in braces only yyyy, yy, MM, dd, n and n:DIGITS with 1 to 19 digits, not "
              + ShownText.quote(name));
    }
    return new Part(name, date, 0);
  }

  private static InvalidOptionException refused(String pattern, String rule) {
    return new InvalidOptionException("format", pattern, rule);
  }

  /**
   * Whether it has a part of a date.
   *
   * @param name {@code yyyy}, {@code yy}, {@code MM} or {@code dd}
   */
  public boolean has(String name) {
    return parts.stream().anyMatch(part -> part.date() != null && name.equals(part.text()));
  }

  /**
   * Requires that it has no part of a date.
   *
   * @throws InvalidOptionException of the option {@code format} if it has one
   */
  public NumberFormat withoutDate() {
    for (String name : DATES.keySet()) {
      if (has(name)) {
        throw refused(
            pattern, "must not contain {" + name + "}, because these numbers have no period");
      }
    }
    return this;
  }

  /**
   * Writes a number.
   *
   * @param date where the parts of a date come from
   * @param number the number; one with more digits than the format has is written in full
   */
  public String format(LocalDate date, long number) {
    StringBuilder text = new StringBuilder();
    for (Part part : parts) {
      DateTimeFormatter ofDate = part.date();
      if (ofDate != null) {
        ofDate.formatTo(date, text);
      } else if (part.isNumber()) {
        String plain = Long.toString(number);
        String digits = number < 0 ? plain.substring(1) : plain;
        text.append(number < 0 ? "-" : "")
            .append("0".repeat(Math.max(0, part.digits() - digits.length())))
            .append(digits);
      } else {
        text.append(part.text());
      }
    }
    return text.toString();
  }

  /** Writes a number, if the format {@linkplain #withoutDate has no part of a date}. */
  public String format(long number) {
    return format(LocalDate.EPOCH, number);
  }

  /** The pattern. */
  @Override
  public String toString() {
    return pattern;
  }
}
