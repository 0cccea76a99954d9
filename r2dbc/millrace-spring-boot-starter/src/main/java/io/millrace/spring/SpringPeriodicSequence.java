package io.millrace.spring;

import io.millrace.TransactionalSequence;
import io.millrace.periodic.PeriodicRow;
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
 * Numbers without gaps that start again with each day, month or year, inside Spring's transactions:
 * a {@link PeriodicTransactionalSequence} on the connection that {@code @Transactional} or {@code
 * TransactionalOperator} has bound to the Reactor context. With {@code millrace.transactional} and
 * a period, it is a bean with the name of the sequence.
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
 * <p>A number has the period of the moment in which it is requested, by the clock and the zone of
 * the {@link Periods}, also if the transaction began before that period or commits after its end.
 *
 * <p>What {@link SpringTransactionalSequence} says about cancels and conflicts holds here too. Safe
 * for use by any number of transactions at once.
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
   * Binds a sequence to Spring's transactions.
   *
   * @param numbers the sequence; its counters must be in the database of the transactions
   * @param connections the factory that the transaction manager uses
   * @return the sequence; its methods need no connection as an argument
   */
  public static SpringPeriodicSequence over(
      PeriodicTransactionalSequence<Connection> numbers, ConnectionFactory connections) {
    Objects.requireNonNull(connections, "connections");
    return new SpringPeriodicSequence(
        numbers, sequence -> SpringTransactionalSequence.over(sequence, connections));
  }

  /**
   * Takes numbers with a transaction or without: for tests without a database, in which no
   * transaction can begin.
   *
   * @param numbers a sequence that any object serves as a transaction, such as one of {@code
   *     periods.transactional(store, store::transactional)} with an {@code InMemorySequenceStore}
   * @return the sequence
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
   * Returns the same sequence for code that has a connection, such as {@code
   * R2dbcInserts.numbered}.
   *
   * @return the sequence that is bound to no transaction
   */
  public PeriodicTransactionalSequence<Connection> sequence() {
    return numbers;
  }

  /**
   * Returns the numbers of one tenant, account or series, with counters of its own.
   *
   * @param tenant not blank, and without {@code /}
   * @return the sequence of {@link Periods#forTenant}. Making it costs nothing: it need not be kept
   * @throws IllegalArgumentException if {@code tenant} is refused
   */
  public SpringPeriodicSequence forTenant(String tenant) {
    return new SpringPeriodicSequence(numbers.forTenant(tenant), binding);
  }

  /**
   * Takes one number, at each subscription.
   *
   * @return the number. Errors and thread as for {@link SpringTransactionalSequence#next()}, and
   *     what the store reports if it cannot create the row of the period
   */
  public Mono<PeriodicValue> next() {
    return Mono.defer(
        () -> {
          PeriodicRow row = numbers.periods().now();
          return bound(row).next().map(row::value);
        });
  }

  /**
   * Takes several numbers of one period; otherwise the same as {@link #next()}.
   *
   * @param count how many, 1 or more
   * @return the numbers, rising by 1
   * @throws IllegalArgumentException if {@code count} is below 1
   */
  public Mono<List<PeriodicValue>> next(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("count must be at least 1, was " + count);
    }
    return Mono.defer(
        () -> {
          PeriodicRow row = numbers.periods().now();
          return bound(row).next(count).map(taken -> taken.stream().map(row::value).toList());
        });
  }

  /**
   * Takes one number when the work of the transaction is done, and calls a function with it before
   * the commit. The number has the period of the subscription.
   *
   * @param use called with the number; must not block or return null
   * @param <T> the type of the function's value
   * @return emits at registration; otherwise as for {@link SpringTransactionalSequence#atCommit}
   */
  public <T> Mono<Mono<T>> atCommit(Function<? super PeriodicValue, ? extends Mono<T>> use) {
    Objects.requireNonNull(use, "use");
    return Mono.defer(
        () -> {
          PeriodicRow row = numbers.periods().now();
          return bound(row).atCommit(number -> use.apply(row.value(number)));
        });
  }

  private SpringTransactionalSequence bound(PeriodicRow row) {
    return binding.apply(numbers.sequence(row));
  }

  @Override
  public String toString() {
    return numbers.toString();
  }
}
