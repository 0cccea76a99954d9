package io.millrace.periodic;

import static io.millrace.internal.Ranges.inRange;

import io.millrace.InvalidOptionException;
import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.SequencesRefusedException;
import io.millrace.TransactionalSequences;
import io.millrace.internal.LogSafe;
import io.millrace.internal.NumberFormat;
import io.millrace.internal.StoreArguments;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import reactor.core.publisher.Mono;

/**
 * The definition of gapless numbers such as {@code 2026-000042}, which restart with each period:
 * their name, period, time zone, clock and format. The same definition numbers the rows of a {@code
 * RowWriter}, and documents in transactions of the application, of one counter or of one for each
 * tenant. Immutable: each setter returns a changed copy.
 *
 * <pre>{@code
 * PeriodicNumbers invoices = PeriodicNumbers.of("invoice", Period.YEAR)
 *     .zone(ZoneId.of("Europe/Berlin"))
 *     .format("INV-{yyyy}-{n:6}");
 *
 * Mono<PeriodicValue> number = SpannerTransactions.readWrite(client,
 *     transaction -> invoices.next(store.transactionals(), transaction));
 * }</pre>
 *
 * <p>Each period has its own counter: a row named {@code invoice/2026}, or {@code
 * invoice/acme/2026} for the tenant {@code acme}. The transaction that takes the first number
 * creates it. A number is therefore unique in its period even if the clocks of processes differ; a
 * wrong clock only puts a number into another period. A number belongs to the period in which it is
 * requested, whenever its transaction begins or commits.
 *
 * <p>Names, tenants and labels are not blank and contain neither {@code /} nor control characters,
 * so two tenants never share a row. The name of the row must fit the store's table.
 */
public final class PeriodicNumbers {

  private final String path;
  private final Period period;
  private final ZoneId zone;
  private final Clock clock;
  private final NumberFormat format;
  private final long startValue;

  private PeriodicNumbers(
      String path, Period period, ZoneId zone, Clock clock, NumberFormat format, long startValue) {
    this.path = path;
    this.period = Objects.requireNonNull(period, "period");
    this.zone = Objects.requireNonNull(zone, "zone");
    this.clock = Objects.requireNonNull(clock, "clock");
    this.format = format;
    this.startValue = startValue;
  }

  /**
   * Returns numbers such as {@code 2026-000042}, which start with 1 in each period, in UTC.
   *
   * @param name the name of the numbers
   * @param period a constant of {@link Period}, or a function
   * @throws InvalidOptionException of the option {@code name} if it is blank, or contains {@code /}
   *     or a control character
   */
  public static PeriodicNumbers of(String name, Period period) {
    return new PeriodicNumbers(
        part("name", name),
        period,
        ZoneOffset.UTC,
        Clock.systemUTC(),
        NumberFormat.of("{period}-{n:6}"),
        1);
  }

  private static String part(String option, String text) {
    if (text.isBlank() || text.chars().anyMatch(c -> c == '/' || Character.isISOControl(c))) {
      throw new InvalidOptionException(
          option, text, "must not be blank, and must not contain / or a control character");
    }
    return text;
  }

  /**
   * Sets the time zone in which a period begins at midnight. Defaults to UTC. The time zone of the
   * machine has no effect.
   */
  public PeriodicNumbers zone(ZoneId zone) {
    return new PeriodicNumbers(path, period, zone, clock, format, startValue);
  }

  /** Sets the clock. Defaults to the system's. Only its instants are used, not its time zone. */
  public PeriodicNumbers clock(Clock clock) {
    return new PeriodicNumbers(path, period, zone, clock, format, startValue);
  }

  /** {@return the clock} */
  public Clock clock() {
    return clock;
  }

  /**
   * Sets the first number of each period. Defaults to 1.
   *
   * @throws InvalidOptionException if it is above {@link SequenceState#LARGEST_VALUE}
   */
  public PeriodicNumbers startValue(long startValue) {
    inRange("startValue", startValue, Long.MIN_VALUE, SequenceState.LARGEST_VALUE);
    return new PeriodicNumbers(path, period, zone, clock, format, startValue);
  }

  /** {@return the first number of each period} */
  public long startValue() {
    return startValue;
  }

  /**
   * Sets the format of numbers. Defaults to <code>{period}-{n:6}</code>.
   *
   * <p>{@code {n}} is the number, and {@code {n:6}} the number padded with zeros to at least six
   * digits (1 to 19). A larger number is not truncated, so texts of different length do not sort by
   * number. {@code {period}} is the label of the period. {@code {yyyy}}, {@code {yy}}, {@code {MM}}
   * and {@code {dd}} are the parts of the day on which the number was requested, in the zone. All
   * other text is copied.
   *
   * @param format a text that contains the number once, and the period or the parts of the date
   *     that determine it. The days of four years are tried
   * @throws InvalidOptionException of the option {@code format} if one of these is missing, or if
   *     something else is in braces
   */
  public PeriodicNumbers format(String format) {
    NumberFormat parsed = NumberFormat.of(format);
    requirePeriod(parsed);
    return new PeriodicNumbers(path, period, zone, clock, parsed, startValue);
  }

  /** Numbers of two periods would otherwise have the same text. */
  private void requirePeriod(NumberFormat format) {
    Map<String, String> periods = new HashMap<>();
    LocalDate end = LocalDate.of(2028, 1, 1);
    for (LocalDate day = LocalDate.of(2024, 1, 1); day.isBefore(end); day = day.plusDays(1)) {
      String label = period.label(day);
      String other = periods.putIfAbsent(format.format(label, day, 0), label);
      if (other != null && !other.equals(label)) {
        throw new InvalidOptionException(
            "format",
            format.toString(),
            "must contain {period}, or the parts of the date that determine it: numbers of %s and %s would be the same"
                .formatted(LogSafe.name(other), LogSafe.name(label)));
      }
    }
  }

  /**
   * Returns the numbers of one tenant, account or series, which have separate counters.
   *
   * @param tenant part of the names of the rows
   * @return numbers that differ only in the names of their rows. They are cheap to create
   * @throws InvalidOptionException of the option {@code tenant} if it is blank, or contains {@code
   *     /} or a control character
   */
  public PeriodicNumbers forTenant(String tenant) {
    return new PeriodicNumbers(
        path + "/" + part("tenant", tenant), period, zone, clock, format, startValue);
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
    LocalDate date = LocalDate.ofInstant(instant, zone);
    return new Row(date, part("period", period.label(date)));
  }

  /**
   * Takes one number, at each subscription.
   *
   * @param counters the counters of a store in the database of the transaction
   * @param transaction the transaction that uses the number
   * @return the number; threads and errors as for {@link #next(TransactionalSequences, Object,
   *     int)}
   */
  public <C> Mono<PeriodicValue> next(TransactionalSequences<C> counters, C transaction) {
    return next(counters, transaction, 1).map(values -> values.get(0));
  }

  /**
   * Takes several numbers of one period, at each subscription. As with any gapless number, other
   * transactions that need the same counter wait from here to the commit.
   *
   * @param counters the counters of a store in the database of the transaction
   * @param transaction the transaction that uses the numbers
   * @param count the number of numbers, 1 or more
   * @return the numbers, rising by 1, on a thread that the store names. Errors: {@link
   *     IllegalArgumentException} if the store refuses the name of the row, for example because it
   *     is too long, {@link SequenceExhaustedException}, {@link SequenceNotFoundException} if there
   *     is no table, and those of {@link TransactionalSequences#next}
   * @throws IllegalArgumentException if {@code count} is below 1
   */
  public <C> Mono<List<PeriodicValue>> next(
      TransactionalSequences<C> counters, C transaction, int count) {
    StoreArguments.checkCount(count);
    TransactionalSequences<C> creating = counters.createMissing(startValue);
    return Mono.defer(
        () -> {
          Row row = now();
          return creating
              .next(transaction, Map.of(row.name(), count))
              .onErrorMap(
                  SequencesRefusedException.class,
                  refused -> refused.reasons().getOrDefault(row.name(), refused))
              .map(numbers -> numbers.getOrDefault(row.name(), List.of()))
              .map(numbers -> numbers.stream().map(row::value).toList());
        });
  }

  @Override
  public String toString() {
    return "PeriodicNumbers[" + LogSafe.name(path) + ", " + LogSafe.name(format.toString()) + "]";
  }

  /**
   * The row that counts the numbers of a period, from {@link #now} or {@link #at}. To take numbers
   * of the period of another date than today's, take them from the sequence {@link #name}, and
   * format them with {@link #value}.
   */
  public final class Row {

    private final LocalDate date;
    private final String label;

    private Row(LocalDate date, String label) {
      this.date = date;
      this.label = label;
    }

    /** {@return the name of the sequence, such as {@code invoice/2026}} */
    public String name() {
      return path + "/" + label;
    }

    /**
     * Formats a number.
     *
     * @param number a number of the sequence
     * @return the number with its period, its text and the day
     */
    public PeriodicValue value(long number) {
      return new PeriodicValue(label, number, format.format(label, date, number), date);
    }

    @Override
    public String toString() {
      return "PeriodicNumbers.Row[" + LogSafe.name(name()) + "]";
    }
  }
}
