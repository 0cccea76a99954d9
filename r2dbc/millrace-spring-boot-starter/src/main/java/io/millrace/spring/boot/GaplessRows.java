package io.millrace.spring.boot;

import io.millrace.internal.ShownText;
import io.millrace.periodic.Period;
import io.millrace.periodic.PeriodicNumbers;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/** Opens the rows of sequences without gaps, and checks their properties. */
record GaplessRows(MillraceProperties properties, Clock clock) {

  private static final Pattern PLACEHOLDER = Pattern.compile("\\{[^{}]*}");

  /** With the only or primary clock of the application, or else the system's. */
  static GaplessRows of(MillraceProperties properties, ObjectProvider<Clock> clocks) {
    return new GaplessRows(
        properties, Objects.requireNonNullElseGet(clocks.getIfUnique(), Clock::systemUTC));
  }

  /**
   * Makes a sequence over its row.
   *
   * @param table opens a row
   * @throws InvalidConfigurationPropertyValueException if the store refuses the name, if a
   *     generator uses the same row and would make gaps, if there is a property of periods, or if
   *     there is a period, which a program built ahead of time did not have then
   */
  <T> T open(String name, Function<String, T> table) {
    MillraceProperties.Gapless own = own(name);
    PeriodChoice period = own.period();
    if (period != null) {
      throw unlikeTheBuild(name, period, "without a period");
    }
    requirePeriod(name, "zone", own.zone());
    requirePeriod(name, "format", own.format());
    String row = properties.rowOf(name);
    requireNoGenerator(name, row, false);
    return PropertyRefusal.naming(rowPlace(name), row, () -> table.apply(row));
  }

  /** The type of the bean follows from the period, and is fixed when the program is built. */
  private static InvalidConfigurationPropertyValueException unlikeTheBuild(
      String name, @Nullable PeriodChoice period, String built) {
    return PropertyRefusal.of(
        PropertyRefusal.place("gapless", name) + ".period",
        period,
        "the program was built ahead of time %s: build it again with the properties that it runs with"
            .formatted(built));
  }

  private static void requirePeriod(String name, String property, @Nullable Object value) {
    if (value != null) {
      String place = PropertyRefusal.place("gapless", name);
      throw PropertyRefusal.of(
          place + "." + property,
          value,
          "it applies to numbers with a period, and there is no period: set %s.%s.period, for example to year"
              .formatted(MillraceProperties.PREFIX, place));
    }
  }

  /**
   * Makes the definition of numbers that restart with each period.
   *
   * @param table opens a row, and so checks its name
   * @throws InvalidConfigurationPropertyValueException as for {@link #open}, if there is no period,
   *     or if start value or format are refused
   */
  PeriodicNumbers periodic(String name, Function<String, ?> table) {
    MillraceProperties.Gapless own = own(name);
    PeriodChoice choice = own.period();
    if (choice == null) {
      throw unlikeTheBuild(name, null, "with a period");
    }
    String place = PropertyRefusal.place("gapless", name);
    String row = properties.rowOf(name);
    Period period = choice.period();
    PeriodicNumbers numbers =
        PropertyRefusal.naming(rowPlace(name), row, () -> PeriodicNumbers.of(row, period))
            .clock(clock)
            .zone(Objects.requireNonNullElse(own.zone(), ZoneOffset.UTC));
    PeriodicNumbers started =
        PropertyRefusal.naming(
            place + ".start-value", own.startValue(), () -> numbers.startValue(own.startValue()));
    String format = own.format();
    PeriodicNumbers formatted =
        format == null
            ? started
            : PropertyRefusal.naming(place + ".format", format, () -> started.format(format));
    String current = formatted.now().name();
    requireNoGenerator(name, current, true);
    PropertyRefusal.naming(rowPlace(name), row, () -> table.apply(current));
    return formatted;
  }

  private String rowPlace(String name) {
    String place = PropertyRefusal.place("gapless", name);
    return own(name).row() == null ? place : place + ".row";
  }

  private MillraceProperties.Gapless own(String name) {
    return Objects.requireNonNull(properties.gapless().get(name));
  }

  /**
   * Throws if a generator may reserve blocks of a row.
   *
   * @param row the row, or that of the current period
   */
  private void requireNoGenerator(String name, String row, boolean periodic) {
    String family = properties.rowOf(name) + "/";
    for (String buffered : properties.sequences().keySet()) {
      String other = properties.rowOf(buffered);
      if (buffered.equals(name) || other.equals(row) || (periodic && other.startsWith(family))) {
        throw usedBy(name, PropertyRefusal.place("sequences", buffered), other);
      }
    }
    properties
        .templates()
        .forEach(
            (key, template) -> {
              if (mayName(template.getPattern(), row)) {
                throw usedBy(name, PropertyRefusal.place("templates", key), row);
              }
            });
  }

  private static InvalidConfigurationPropertyValueException usedBy(
      String name, String generator, String row) {
    return PropertyRefusal.of(
        PropertyRefusal.place("gapless", name),
        name,
        "the generator of millrace.%s uses the same name or row %s and reserves blocks of it, which makes gaps: use another name and row"
            .formatted(generator, ShownText.quote(row)));
  }

  /** Whether a template may have made the name. */
  private static boolean mayName(@Nullable String pattern, String sequence) {
    if (pattern == null) {
      return false;
    }
    String regex =
        Arrays.stream(PLACEHOLDER.split(pattern, -1))
            .map(Pattern::quote)
            .collect(Collectors.joining("[^/{}]+"));
    return sequence.matches(regex);
  }
}
