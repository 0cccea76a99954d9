package io.millrace.periodic;

import io.millrace.InvalidOptionException;
import io.millrace.Sequence;
import io.millrace.SequenceStore;
import io.millrace.TransactionalSequence;
import io.millrace.internal.NumberFormat;
import io.millrace.internal.ShownText;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * The periods of a sequence: when they change, the names of their rows, and the format of the
 * numbers. Immutable: each setter returns a changed copy.
 *
 * <p>Each period has its own counter, in a row named {@code invoice/2026-11}. A number is therefore
 * unique in its period even if the clocks of the processes differ; a wrong clock only puts a number
 * into another period.
 *
 * <pre>{@code
 * Periods months = Periods.monthly("invoice").zone(ZoneId.of("Europe/Berlin"));
 * Periods years = Periods.yearly("invoice").format("INV-{yyyy}-{n:6}");
 * }</pre>
 */
public final class Periods {

  private final Kind kind;
  private final String name;
  private final Clock clock;
  private final ZoneId zone;
  private final NumberFormat format;

  /** How long a period is. */
  private enum Kind {
    DAY("uuuu-MM-dd", "{yyyy}-{MM}-{dd}-{n:6}"),
    MONTH("uuuu-MM", "{yyyy}-{MM}-{n:6}"),
    YEAR("uuuu", "{yyyy}-{n:6}");

    private final DateTimeFormatter labels;
    private final NumberFormat format;

    Kind(String pattern, String format) {
      this.labels =
          new DateTimeFormatterBuilder()
              .appendPattern(pattern)
              .parseDefaulting(ChronoField.MONTH_OF_YEAR, 1)
              .parseDefaulting(ChronoField.DAY_OF_MONTH, 1)
              .toFormatter(Locale.ROOT)
              .withResolverStyle(ResolverStyle.STRICT);
      this.format = NumberFormat.of(format);
    }

    /** Numbers of two periods would otherwise have the same text. */
    void check(NumberFormat format) {
      boolean hasYear = format.has("yyyy") || format.has("yy");
      String missing =
          !hasYear
              ? "yyyy"
              : this != YEAR && !format.has("MM")
                  ? "MM"
                  : this == DAY && !format.has("dd") ? "dd" : "";
      if (!missing.isEmpty()) {
        throw new InvalidOptionException(
            "format",
            format.toString(),
            "must contain {%s}, because the numbers start again with each %s"
                .formatted(missing, name().toLowerCase(Locale.ROOT)));
      }
    }
  }

  private Periods(Kind kind, String name, Clock clock, ZoneId zone, NumberFormat format) {
    this.kind = kind;
    this.name = name;
    this.clock = clock;
    this.zone = zone;
    this.format = format;
  }

  private static Periods of(Kind kind, String name) {
    if (Objects.requireNonNull(name, "name").isEmpty()) {
      throw new IllegalArgumentException("the name of a periodic sequence must not be empty");
    }
    return new Periods(kind, name, Clock.systemUTC(), ZoneOffset.UTC, kind.format);
  }

  /**
   * Returns periods of a day, such as {@code 2026-11-23}.
   *
   * @param name the name of the sequence
   * @return days in UTC
   * @throws IllegalArgumentException if {@code name} is empty
   */
  public static Periods daily(String name) {
    return of(Kind.DAY, name);
  }

  /**
   * Returns periods of a month, such as {@code 2026-11}.
   *
   * @param name the name of the sequence
   * @return months in UTC
   * @throws IllegalArgumentException if {@code name} is empty
   */
  public static Periods monthly(String name) {
    return of(Kind.MONTH, name);
  }

  /**
   * Returns periods of a year, such as {@code 2026}.
   *
   * @param name the name of the sequence
   * @return years in UTC
   * @throws IllegalArgumentException if {@code name} is empty
   */
  public static Periods yearly(String name) {
    return of(Kind.YEAR, name);
  }

  /**
   * Sets the time zone in which a period begins at midnight. Defaults to UTC. The time zone of the
   * machine has no effect.
   *
   * @return changed periods
   */
  public Periods zone(ZoneId zone) {
    return new Periods(kind, name, clock, Objects.requireNonNull(zone, "zone"), format);
  }

  /**
   * Sets the clock. Defaults to the system's. Only its instants are used, not its time zone.
   *
   * @return changed periods
   */
  public Periods clock(Clock clock) {
    return new Periods(kind, name, Objects.requireNonNull(clock, "clock"), zone, format);
  }

  /**
   * Sets the format of numbers. Defaults to the period and the number with six digits, such as
   * {@code {yyyy}-{MM}-{n:6}} for months.
   *
   * <p>{@code {n}} is the number, and {@code {n:6}} the number padded with zeros to at least six
   * digits (1 to 19). A larger number is not truncated, so texts of different length do not sort by
   * number. {@code {yyyy}}, {@code {yy}}, {@code {MM}} and {@code {dd}} are the parts of the day on
   * which the number was requested, in the zone. All other text is copied.
   *
   * @param format a text that contains the number once, and the parts of the date that identify the
   *     period
   * @return changed periods
   * @throws InvalidOptionException of the option {@code format} if one of these is missing, or if
   *     something else is in braces
   */
  public Periods format(String format) {
    NumberFormat parsed = NumberFormat.of(format);
    kind.check(parsed);
    return new Periods(kind, name, clock, zone, parsed);
  }

  /**
   * Returns the periods of one tenant, account or series, with separate counters. Their rows are
   * named {@code invoice/acme/2026-11}.
   *
   * @param tenant not blank, and without {@code /}
   * @return periods that differ only in the names of their rows
   * @throws IllegalArgumentException if {@code tenant} is blank or contains {@code /}, so it could
   *     name another tenant's row
   */
  public Periods forTenant(String tenant) {
    if (tenant.isBlank() || tenant.indexOf('/') >= 0) {
      throw new IllegalArgumentException(
          "a tenant must not be blank or contain /, was " + ShownText.quote(tenant));
    }
    return new Periods(kind, name + "/" + tenant, clock, zone, format);
  }

  /** {@return the row that counts numbers requested now, by the clock} */
  public Row now() {
    return at(clock.instant());
  }

  /**
   * Returns the row of any moment, such as the date of a document.
   *
   * @return the row that counts the numbers of its period
   */
  public Row at(Instant instant) {
    return new Row(this, LocalDate.ofInstant(instant, zone));
  }

  /**
   * Returns the name of the sequence that counts a period.
   *
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
      return Optional.of(label(LocalDate.parse(period, kind.labels)));
    } catch (DateTimeParseException other) {
      return Optional.empty();
    }
  }

  String label(LocalDate date) {
    return kind.labels.format(date);
  }

  String text(LocalDate date, long number) {
    return format.format(date, number);
  }

  /**
   * Returns numbers from the buffers of generators.
   *
   * @param generators returns the generator of a name, which must create a missing row with 1, as
   *     {@code SequenceGenerators} does after {@code template("invoice/{period}", options ->
   *     options.createMissing(1))}
   */
  public PeriodicSequence sequence(Function<String, ? extends Sequence> generators) {
    return new PeriodicSequence(this, Objects.requireNonNull(generators, "generators"));
  }

  /**
   * Returns numbers without gaps, for transactions of the application. Each period starts at 1.
   *
   * @param store creates the row of a period
   * @param transactional returns the sequence of a name in the same store, {@code
   *     store::transactional}
   */
  public <C> PeriodicTransactionalSequence<C> transactional(
      SequenceStore store, Function<String, TransactionalSequence<C>> transactional) {
    return transactional(store, 1, transactional);
  }

  /**
   * Returns numbers without gaps, for transactions of the application, which start at any value.
   *
   * @param store creates the row of a period
   * @param startValue the first number of a period whose row is created
   * @param transactional returns the sequence of a name in the same store
   */
  public <C> PeriodicTransactionalSequence<C> transactional(
      SequenceStore store,
      long startValue,
      Function<String, TransactionalSequence<C>> transactional) {
    return new PeriodicTransactionalSequence<>(
        this, new PeriodicCounters<>(store, startValue, transactional));
  }

  @Override
  public String toString() {
    return "Periods[" + ShownText.name(now().name()) + "]";
  }

  /**
   * The row that counts the numbers of a period, from {@link #now} or {@link #at}. Use it to take
   * the numbers from another source, such as {@code TransactionalSequences}: take them from the
   * sequence {@link #name}, and format them with {@link #value}.
   */
  public static final class Row {

    private final Periods periods;
    private final LocalDate date;
    private final String period;

    private Row(Periods periods, LocalDate date) {
      this.periods = periods;
      this.date = date;
      this.period = periods.label(date);
    }

    /** {@return the name of the sequence, such as {@code invoice/2026-11}} */
    public String name() {
      return periods.row(period);
    }

    /** {@return the period, such as {@code 2026-11}} */
    public String period() {
      return period;
    }

    /**
     * Formats a number.
     *
     * @param number a number of the sequence
     * @return the number with its period, its text and the day
     */
    public PeriodicValue value(long number) {
      return new PeriodicValue(period, number, periods.text(date, number), date);
    }

    List<PeriodicValue> values(List<Long> numbers) {
      return numbers.stream().map(this::value).toList();
    }

    @Override
    public String toString() {
      return "Periods.Row[" + ShownText.name(name()) + "]";
    }
  }
}
