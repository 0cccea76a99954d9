package io.millrace.spring.boot;

import io.millrace.SequenceStore;
import io.millrace.TransactionalSequence;
import io.millrace.internal.ShownText;
import io.millrace.periodic.PeriodicTransactionalSequence;
import io.millrace.periodic.Periods;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/** Opens the rows of sequences without gaps, and checks their properties. */
record TransactionalRows(MillraceProperties properties, Clock clock) {

  private static final Pattern PLACEHOLDER = Pattern.compile("\\{[^{}]*}");

  /** With the only or primary clock of the application, or else the system's. */
  static TransactionalRows of(MillraceProperties properties, ObjectProvider<Clock> clocks) {
    return new TransactionalRows(
        properties, Objects.requireNonNullElseGet(clocks.getIfUnique(), Clock::systemUTC));
  }

  /**
   * Makes a sequence over its row.
   *
   * @throws InvalidConfigurationPropertyValueException if the store refuses the name, if a
   *     generator uses the same row and would make gaps, or if there is a property of periods
   */
  <T> T open(String name, Function<String, T> table) {
    MillraceProperties.Gapless own = own(name);
    requirePeriod(name, "zone", own.zone());
    requirePeriod(name, "format", own.format());
    return over(name, row -> false, table);
  }

  private static void requirePeriod(String name, String property, @Nullable String value) {
    if (value != null) {
      String place = PropertyRefusal.place("gapless", name);
      throw PropertyRefusal.of(
          place + "." + property,
          value,
          "it applies to numbers with a period, and there is no period: set %s.%s.period to daily, monthly or yearly"
              .formatted(MillraceProperties.PREFIX, place));
    }
  }

  /**
   * Makes a sequence that starts again with each period.
   *
   * @param store creates the rows
   * @param table opens a row
   * @throws InvalidConfigurationPropertyValueException as for {@link #open}, or if zone or format
   *     are refused
   */
  <C> PeriodicTransactionalSequence<C> openPeriodic(
      String name, SequenceStore store, Function<String, TransactionalSequence<C>> table) {
    Periods periods = periods(name);
    requireNoTemplate(name, periods.now().name());
    return over(
        name,
        row -> periods.periodOf(row).isPresent(),
        row -> {
          PeriodicTransactionalSequence<C> numbers =
              periods.transactional(store, own(name).startValue(), table);
          numbers.sequence(periods.now()); // the store checks the name
          return numbers;
        });
  }

  private Periods periods(String name) {
    MillraceProperties.Gapless own = own(name);
    String place = PropertyRefusal.place("gapless", name);
    Periods periods = Objects.requireNonNull(own.period()).of(properties.rowOf(name)).clock(clock);
    String zone = own.zone();
    Periods zoned = zone == null ? periods : periods.zone(zone(place + ".zone", zone));
    String format = own.format();
    return format == null
        ? zoned
        : PropertyRefusal.naming(place + ".format", format, () -> zoned.format(format));
  }

  private static ZoneId zone(String property, String zone) {
    try {
      return ZoneId.of(zone);
    } catch (DateTimeException refused) {
      throw PropertyRefusal.of(
          property,
          zone,
          "it must be a time zone, such as Europe/Berlin, UTC or +01:00: " + refused.getMessage(),
          refused);
    }
  }

  private MillraceProperties.Gapless own(String name) {
    return Objects.requireNonNull(properties.gapless().get(name));
  }

  private void requireNoTemplate(String name, String row) {
    properties
        .templates()
        .forEach(
            (key, template) -> {
              if (mayName(template.getPattern(), row)) {
                throw PropertyRefusal.of(
                    PropertyRefusal.place("gapless", name),
                    name,
                    "the generators of millrace.%s use rows such as %s and reserve blocks of them, which makes gaps: use another name or pattern"
                        .formatted(PropertyRefusal.place("templates", key), ShownText.quote(row)));
              }
            });
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

  private <T> T over(String name, Predicate<String> isOfAPeriod, Function<String, T> table) {
    String place = PropertyRefusal.place("gapless", name);
    String row = properties.rowOf(name);
    for (String buffered : properties.sequences().keySet()) {
      String other = properties.rowOf(buffered);
      if (buffered.equals(name) || other.equals(row) || isOfAPeriod.test(other)) {
        throw PropertyRefusal.of(
            place,
            name,
            "the generator of millrace.%s uses the same name or row %s and reserves blocks of it, which makes gaps: use another name and row"
                .formatted(PropertyRefusal.place("sequences", buffered), ShownText.quote(other)));
      }
    }
    return PropertyRefusal.naming(
        row.equals(name) ? place : place + ".row", row, () -> table.apply(row));
  }
}
