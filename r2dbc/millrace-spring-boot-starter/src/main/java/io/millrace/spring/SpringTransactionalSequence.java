package io.millrace.spring;

import io.millrace.TransactionalSequence;
import io.millrace.internal.ShownText;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.R2dbcException;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.r2dbc.connection.ConnectionFactoryUtils;
import org.springframework.r2dbc.connection.ConnectionHolder;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.core.publisher.Mono;

/**
 * Numbers without gaps inside Spring's transactions: a {@link TransactionalSequence} on the
 * connection that {@code @Transactional} or {@code TransactionalOperator} has bound to the Reactor
 * context. Values are taken if and only if that transaction commits.
 *
 * <pre>{@code
 * SpringTransactionalSequence numbers =
 *     SpringTransactionalSequence.over(store.transactional("invoice_no"), connectionFactory);
 *
 * Mono<Invoice> saved = Mono.deferContextual(context ->
 *     numbers.next().flatMap(number -> invoices.save(invoice.withNumber(number)))
 *         .as(transactionalOperator::transactional)
 *         .contextWrite(context)
 *         .cache());
 * }</pre>
 *
 * <p>With {@code cache()} the transaction runs to its end even if the subscriber cancels. Without
 * it, a cancel rolls back on its own thread. A statement that is being sent at that moment may
 * arrive after the rollback and run outside the transaction, or in the connection's next one. Use
 * {@code cache()} in the same way around a call of a {@code @Transactional} method.
 *
 * <p>Safe for use by any number of transactions at once.
 */
public final class SpringTransactionalSequence {

  private final String name;
  private final IntFunction<Mono<List<Long>>> values;

  private SpringTransactionalSequence(String name, IntFunction<Mono<List<Long>>> values) {
    this.name = name;
    this.values = values;
  }

  /**
   * Binds a sequence to Spring's transactions.
   *
   * @param sequence the sequence; its counter must be in the database of the transactions
   * @param connections the factory that the transaction manager uses
   * @return the sequence; its methods need no connection as an argument
   */
  public static SpringTransactionalSequence over(
      TransactionalSequence<Connection> sequence, ConnectionFactory connections) {
    InTransaction values =
        new InTransaction(
            Objects.requireNonNull(sequence, "sequence"),
            Objects.requireNonNull(connections, "connections"));
    return new SpringTransactionalSequence(sequence.sequence(), values::next);
  }

  /**
   * Takes the values of a function, with a transaction or without: for tests without a database, in
   * which no transaction can begin.
   *
   * @param name the name of the sequence
   * @param values takes consecutive values, as many as it is told
   * @return the sequence
   */
  public static SpringTransactionalSequence inMemory(
      String name, IntFunction<Mono<List<Long>>> values) {
    return new SpringTransactionalSequence(name, values);
  }

  /**
   * Takes one value. Nothing happens before subscription; each subscription takes one. Cancelling
   * and thread of delivery are as for {@link TransactionalSequence#next(Object)}.
   *
   * @return the value. Errors: {@link IllegalTransactionStateException} if there is no transaction,
   *     only one of another connection factory, or one that is read-only; those of {@link
   *     TransactionalSequence#next(Object)}. The driver's exceptions are translated to Spring's
   *     {@link DataAccessException}, as {@code DatabaseClient} does: a conflict with another
   *     transaction, such as a deadlock or a serialization failure, is a {@link
   *     org.springframework.dao.PessimisticLockingFailureException}. The drivers of MySQL and
   *     MariaDB report some conflicts as other exceptions; {@link
   *     io.millrace.r2dbc.R2dbcDialect#failure} of the dialect knows them, also when they are
   *     translated. Spanner's driver reports an {@code AbortedException}, which is not translated.
   *     Retry the whole transaction after these
   */
  public Mono<Long> next() {
    return values.apply(1).map(taken -> taken.get(0));
  }

  /**
   * Takes consecutive values; otherwise the same as {@link #next()}.
   *
   * @param count how many, 1 or more
   * @return the values, rising by 1; errors as for {@link #next()}
   * @throws IllegalArgumentException if {@code count} is below 1
   */
  public Mono<List<Long>> next(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("count must be at least 1, was " + count);
    }
    return values.apply(count);
  }

  @Override
  public String toString() {
    return "SpringTransactionalSequence[" + ShownText.name(name) + "]";
  }

  /** Takes the values on the connection of the current transaction. */
  private record InTransaction(
      TransactionalSequence<Connection> sequence, ConnectionFactory connections) {

    /** The connection belongs to the transaction, which closes it. */
    Mono<List<Long>> next(int count) {
      return TransactionSynchronizationManager.forCurrentTransaction()
          .onErrorMap(
              NoTransactionException.class, none -> refused("there is no transaction", none))
          .doOnNext(this::check)
          .then(Mono.defer(() -> ConnectionFactoryUtils.getConnection(connections)))
          .flatMap(connection -> sequence.next(connection, count))
          .onErrorMap(R2dbcException.class, this::translated);
    }

    private DataAccessException translated(R2dbcException failure) {
      return ConnectionFactoryUtils.convertR2dbcException(
          "Value of sequence " + ShownText.quote(sequence.sequence()), null, failure);
    }

    private void check(TransactionSynchronizationManager transaction) {
      if (!transaction.isActualTransactionActive()) {
        throw refused("there is no transaction", null);
      }
      if (!(transaction.getResource(connections) instanceof ConnectionHolder)) {
        throw refused("the transaction is not one of " + connections, null);
      }
      if (transaction.isCurrentTransactionReadOnly()) {
        throw refused("the transaction is read-only", null);
      }
    }

    private IllegalTransactionStateException refused(String why, @Nullable Throwable cause) {
      String message =
          "Values of sequence "
              + ShownText.quote(sequence.sequence())
              + " are taken without gaps in a transaction only, and "
              + why
              + ": use @Transactional or TransactionalOperator, or a SequenceGenerator";
      return cause == null
          ? new IllegalTransactionStateException(message)
          : new IllegalTransactionStateException(message, cause);
    }
  }
}
