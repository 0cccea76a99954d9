package io.millrace.spring;

import io.millrace.InvalidOptionException;
import io.millrace.TransactionalSequences;
import io.millrace.internal.StoreArguments;
import io.millrace.periodic.PeriodicNumbers;
import io.millrace.periodic.PeriodicValue;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import reactor.core.publisher.Mono;

/**
 * Gapless numbers that restart with each period, inside Spring transactions: {@link
 * PeriodicNumbers} on the connection that {@code @Transactional} or {@code TransactionalOperator}
 * has bound to the Reactor Context. Each entry of {@code millrace.gapless} with a period is a bean
 * of this type.
 *
 * <pre>{@code
 * Mono<Invoice> saved = numbers.next()                     // PeriodicValue[period=2026, number=42, text=2026-000042, ...]
 *     .flatMap(number -> invoices.save(invoice.with(number.text(), number.date())))
 *     .as(transactionalOperator::transactional);
 *
 * RowWriter<Invoice> writer = R2dbcInserts.into(connections, "invoice", Invoice::writeTo)
 *     .numbered(store.transactionals(), numbers.definition(), Invoice::withNumber)
 *     .writer();
 * }</pre>
 *
 * <p>Cancellation and conflicts are as for {@link SpringTransactionalSequence}. Thread-safe.
 */
public final class SpringPeriodicNumbers {

  private final PeriodicNumbers numbers;
  private final BiFunction<PeriodicNumbers, Integer, Mono<List<PeriodicValue>>> values;

  private SpringPeriodicNumbers(
      PeriodicNumbers numbers,
      BiFunction<PeriodicNumbers, Integer, Mono<List<PeriodicValue>>> values) {
    this.numbers = Objects.requireNonNull(numbers, "numbers");
    this.values = values;
  }

  /**
   * Binds numbers to Spring transactions.
   *
   * @param numbers the definition
   * @param counters the counters of a store in the database of the transactions
   * @param connections the factory that the transaction manager uses
   */
  public static SpringPeriodicNumbers over(
      PeriodicNumbers numbers,
      TransactionalSequences<Connection> counters,
      ConnectionFactory connections) {
    Objects.requireNonNull(counters, "counters");
    Objects.requireNonNull(connections, "connections");
    return new SpringPeriodicNumbers(
        numbers,
        (own, count) ->
            new SpringTransactionalSequence.InTransaction(own.now().name(), connections)
                .with(connection -> own.next(counters, connection, count)));
  }

  /**
   * Returns numbers that need no transaction, for tests without a database.
   *
   * @param numbers the definition
   * @param counters counters that accept any object as a transaction, such as those of an {@code
   *     InMemorySequenceStore}
   */
  public static SpringPeriodicNumbers inMemory(
      PeriodicNumbers numbers, TransactionalSequences<Object> counters) {
    return new SpringPeriodicNumbers(numbers, (own, count) -> own.next(counters, own, count));
  }

  /** {@return the definition, for code that has a transaction of its own, such as a RowWriter} */
  public PeriodicNumbers definition() {
    return numbers;
  }

  /**
   * Returns the numbers of one tenant, account or series, which have separate counters.
   *
   * @throws InvalidOptionException as for {@link PeriodicNumbers#forTenant}
   */
  public SpringPeriodicNumbers forTenant(String tenant) {
    return new SpringPeriodicNumbers(numbers.forTenant(tenant), values);
  }

  /**
   * Takes one number at each subscription.
   *
   * @return the number. Thread and errors as for {@link SpringTransactionalSequence#next()}
   */
  public Mono<PeriodicValue> next() {
    return next(1).map(taken -> taken.get(0));
  }

  /**
   * Takes several numbers of one period; otherwise the same as {@link #next()}.
   *
   * @param count the number of numbers, at least 1
   * @return the numbers, rising by 1
   * @throws IllegalArgumentException if {@code count} is below 1
   */
  public Mono<List<PeriodicValue>> next(int count) {
    StoreArguments.checkCount(count);
    return Mono.defer(() -> values.apply(numbers, count));
  }

  @Override
  public String toString() {
    return "Spring" + numbers;
  }
}
