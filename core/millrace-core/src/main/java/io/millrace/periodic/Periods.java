package io.millrace.periodic;

import io.millrace.Sequence;
import io.millrace.SequenceStore;
import io.millrace.TransactionalSequence;
import io.millrace.internal.ShownText;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * The periods of a sequence: when they change, and the names of their rows. Immutable: each method
 * that sets something returns a changed copy.
 *
 * <p>Each period has a counter of its own, in a row named {@code invoice/2026-11}. So a number is
 * unique in its period, whatever the clocks of the processes say. A clock that is wrong only
 * changes which period a number belongs to.
 *
 * <pre>{@code
 * Periods months = Periods.monthly("invoice").zone(ZoneId.of("Europe/Berlin"));
 * }</pre>
 */
public final class Periods {

  private static final int MAX_DIGITS = 19;

  private final String name;
  private final DateTimeFormatter labels;
  private final Clock clock;
  private final int digits;

  private Periods(String name, DateTimeFormatter labels, Clock clock, int digits) {
    this.name = name;
    this.labels = labels;
    this.clock = clock;
    this.digits = digits;
  }

  private static Periods of(String name, String pattern) {
    if (Objects.requireNonNull(name, "name").isEmpty()) {
      throw new IllegalArgumentException("the name of a periodic sequence must not be empty");
    }
    DateTimeFormatter labels =
        new DateTimeFormatterBuilder()
            .appendPattern(pattern)
            .parseDefaulting(ChronoField.MONTH_OF_YEAR, 1)
            .parseDefaulting(ChronoField.DAY_OF_MONTH, 1)
            .toFormatter(Locale.ROOT)
            .withResolverStyle(ResolverStyle.STRICT);
    return new Periods(name, labels, Clock.systemUTC(), 6);
  }

  /**
   * Periods of a day, such as {@code 2026-11-23}.
   *
   * @param name the name of the sequence
   * @return days in UTC
   * @throws IllegalArgumentException if {@code name} is empty
   */
  public static Periods daily(String name) {
    return of(name, "uuuu-MM-dd");
  }

  /**
   * Periods of a month, such as {@code 2026-11}.
   *
   * @param name the name of the sequence
   * @return months in UTC
   * @throws IllegalArgumentException if {@code name} is empty
   */
  public static Periods monthly(String name) {
    return of(name, "uuuu-MM");
  }

  /**
   * Periods of a year, such as {@code 2026}.
   *
   * @param name the name of the sequence
   * @return years in UTC
   * @throws IllegalArgumentException if {@code name} is empty
   */
  public static Periods yearly(String name) {
    return of(name, "uuuu");
  }

  /**
   * Sets the time zone in which a period begins at midnight. Defaults to UTC.
   *
   * @param zone the zone
   * @return changed periods
   */
  public Periods zone(ZoneId zone) {
    return new Periods(name, labels, clock.withZone(zone), digits);
  }

  /**
   * Sets the clock and its time zone. Defaults to the system's clock in UTC.
   *
   * @param clock the clock
   * @return changed periods
   */
  public Periods clock(Clock clock) {
    return new Periods(name, labels, Objects.requireNonNull(clock, "clock"), digits);
  }

  /**
   * Sets how many digits a number has in a text, with zeros in front. Defaults to 6. A larger
   * number is written in full, so that texts of different length do not sort by number.
   *
   * @param digits 1 to 19
   * @return changed periods
   * @throws IllegalArgumentException if {@code digits} is not from 1 to 19
   */
  public Periods digits(int digits) {
    if (digits < 1 || digits > MAX_DIGITS) {
      throw new IllegalArgumentException(
          "digits must be from 1 to " + MAX_DIGITS + ", was " + digits);
    }
    return new Periods(name, labels, clock, digits);
  }

  /**
   * Returns the period of this moment.
   *
   * @return a text such as {@code 2026-11}, by the clock
   */
  public String current() {
    return labels.format(clock.instant().atZone(clock.getZone()));
  }

  /**
   * Returns the name of the sequence that counts a period.
   *
   * @param period the period
   * @return a name such as {@code invoice/2026-11}
   */
  public String row(String period) {
    return name + "/" + period;
  }

  /**
   * Returns the period that a sequence counts, for example to find the rows of old periods.
   *
   * @param row the name of a sequence
   * @return the period; empty if the name is not one of these periods
   */
  public Optional<String> periodOf(String row) {
    String prefix = name + "/";
    if (!row.startsWith(prefix)) {
      return Optional.empty();
    }
    String period = row.substring(prefix.length());
    try {
      return Optional.of(labels.format(LocalDate.parse(period, labels)));
    } catch (DateTimeParseException other) {
      return Optional.empty();
    }
  }

  PeriodicValue value(String period, long number) {
    String plain = Long.toString(number);
    String zeros = "0".repeat(Math.max(0, digits - plain.length()));
    return new PeriodicValue(period, number, period + "-" + zeros + plain);
  }

  /**
   * Numbers from generators, in blocks.
   *
   * @param generators gives the generator of a name; it has to create a missing row with 1, as
   *     {@code SequenceGenerators} does after {@code template("invoice/{period}", options ->
   *     options.createMissing(1))}
   * @return the sequence
   */
  public PeriodicSequence sequence(Function<String, ? extends Sequence> generators) {
    return new PeriodicSequence(this, Objects.requireNonNull(generators, "generators"));
  }

  /**
   * Numbers without gaps, in transactions of the application.
   *
   * @param store creates the row of a period
   * @param transactional gives the sequence of a name in the same store, {@code
   *     store::transactional}
   * @param <C> the type of a transaction
   * @return the sequence
   */
  public <C> PeriodicTransactionalSequence<C> transactional(
      SequenceStore store, Function<String, TransactionalSequence<C>> transactional) {
    return new PeriodicTransactionalSequence<>(this, store, transactional);
  }

  @Override
  public String toString() {
    return "Periods[" + ShownText.name(row(current())) + "]";
  }
}
