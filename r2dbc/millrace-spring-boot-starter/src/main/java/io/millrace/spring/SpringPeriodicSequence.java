package io.millrace.spring;

import io.millrace.TransactionalSequence;
import io.millrace.periodic.PeriodicTransactionalSequence;
import io.millrace.periodic.PeriodicValue;
import io.millrace.periodic.Periods;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * Numbers without gaps that restart each day, month or year, inside Spring transactions: a {@link
 * PeriodicTransactionalSequence} on the connection that {@code @Transactional} or {@code
 * TransactionalOperator} has bound to the Reactor Context. Each entry of {@code millrace.gapless}
 * with a period is a bean of this type.
 *
 * <pre>{@code
 * Mono<Invoice> saved = numbers.next()                     // PeriodicValue[period=2026, number=42, text=2026-000042, ...]
 *     .flatMap(number -> invoices.save(invoice.with(number.text(), number.date())))
 *     .as(transactionalOperator::transactional);
 *
 * RowWriter<Invoice> writer = R2dbcInserts.into(connections, "invoice", Invoice::writeTo)
 *     .numbered(numbers.sequence(), Invoice::withNumber)
 *     .writer();
 * }</pre>
 *
 * <p>A number belongs to the period in which it is requested, by the clock and the zone of the
 * {@link Periods}, even if the transaction began before that period or commits after its end.
 *
 * <p>Cancellation and conflicts are as for {@link SpringTransactionalSequence}. Thread-safe.
 */
public final class SpringPeriodicSequence {

  private final PeriodicTransactionalSequence<Connection> numbers;
  private final Function<TransactionalSequence<Connection>, SpringTransactionalSequence> binding;

  private SpringPeriodicSequence(
      PeriodicTransactionalSequence<Connection> numbers,
      Function<TransactionalSequence<Connection>, SpringTransactionalSequence> binding) {
    this.numbers = Objects.requireNonNull(numbers, "numbers");
    this.binding = binding;
  }

  /**
   * Binds a sequence to Spring transactions.
   *
   * @param numbers the sequence; its counters must be in the database of the transactions
   * @param connections the factory that the transaction manager uses
   * @return the sequence, whose methods take no connection
   */
  public static SpringPeriodicSequence over(
      PeriodicTransactionalSequence<Connection> numbers, ConnectionFactory connections) {
    Objects.requireNonNull(connections, "connections");
    return new SpringPeriodicSequence(
        numbers, sequence -> SpringTransactionalSequence.over(sequence, connections));
  }

  /**
   * Returns a sequence that needs no transaction, for tests without a database.
   *
   * @param numbers a sequence that accepts any object as a transaction, such as {@code
   *     periods.transactional(store, store::transactional)} with an {@code InMemorySequenceStore}
   */
  @SuppressWarnings("unchecked") // a connection is an object
  public static SpringPeriodicSequence inMemory(PeriodicTransactionalSequence<Object> numbers) {
    return new SpringPeriodicSequence(
        (PeriodicTransactionalSequence<Connection>) (PeriodicTransactionalSequence<?>) numbers,
        sequence -> {
          TransactionalSequence<?> any = sequence;
          return SpringTransactionalSequence.inMemory(
              sequence.name(), count -> ((TransactionalSequence<Object>) any).next(numbers, count));
        });
  }

  /**
   * Returns the underlying sequence, for code that has a connection, such as {@code
   * R2dbcInserts.numbered}.
   *
   * @return the sequence, which is not bound to a transaction
   */
  public PeriodicTransactionalSequence<Connection> sequence() {
    return numbers;
  }

  /**
   * Returns the numbers of one tenant, account or series, which have separate counters.
   *
   * @param tenant the tenant; not blank, and without {@code /}
   * @return the sequence of {@link Periods#forTenant}. It is cheap to create and need not be kept
   * @throws IllegalArgumentException if {@code tenant} is invalid
   */
  public SpringPeriodicSequence forTenant(String tenant) {
    return new SpringPeriodicSequence(numbers.forTenant(tenant), binding);
  }

  /**
   * Takes one number at each subscription.
   *
   * @return the number. Thread and errors as for {@link SpringTransactionalSequence#next()}, and
   *     the store's error if the row of the period cannot be created
   */
  public Mono<PeriodicValue> next() {
    return Mono.defer(
        () -> {
          Periods.Row row = numbers.periods().now();
          return bound(row).next().map(row::value);
        });
  }

  /**
   * Takes several numbers of one period; otherwise the same as {@link #next()}.
   *
   * @param count the number of numbers, at least 1
   * @return the numbers, rising by 1
   * @throws IllegalArgumentException if {@code count} is below 1
   */
  public Mono<List<PeriodicValue>> next(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("count must be at least 1, was " + count);
    }
    return Mono.defer(
        () -> {
          Periods.Row row = numbers.periods().now();
          return bound(row).next(count).map(taken -> taken.stream().map(row::value).toList());
        });
  }

  private SpringTransactionalSequence bound(Periods.Row row) {
    return binding.apply(numbers.sequence(row));
  }

  @Override
  public String toString() {
    return numbers.toString();
  }
}
