package io.millrace.spring;

import io.millrace.TransactionalSequence;
import io.millrace.internal.LogSafe;
import io.millrace.internal.StoreArguments;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.R2dbcException;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
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
 * Numbers without gaps inside Spring transactions: a {@link TransactionalSequence} on the
 * connection that {@code @Transactional} or {@code TransactionalOperator} has bound to the Reactor
 * Context. Values are taken if and only if that transaction commits.
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
 * <p>With {@code cache()}, the transaction runs to completion even if the subscriber cancels.
 * Without it, a cancellation rolls back on the cancelling thread, and a statement that is being
 * sent at that moment may run outside the transaction, or in the connection's next one. Use {@code
 * cache()} in the same way around a call of a {@code @Transactional} method.
 *
 * <p>Thread-safe.
 */
public final class SpringTransactionalSequence {

  private final String name;
  private final IntFunction<Mono<List<Long>>> values;

  private SpringTransactionalSequence(String name, IntFunction<Mono<List<Long>>> values) {
    this.name = name;
    this.values = values;
  }

  /**
   * Binds a sequence to Spring transactions.
   *
   * @param sequence the sequence; its counter must be in the database of the transactions
   * @param connections the factory that the transaction manager uses
   * @return the sequence, whose methods take no connection
   */
  public static SpringTransactionalSequence over(
      TransactionalSequence<Connection> sequence, ConnectionFactory connections) {
    InTransaction transaction =
        new InTransaction(sequence.name(), Objects.requireNonNull(connections, "connections"));
    return new SpringTransactionalSequence(
        sequence.name(), count -> transaction.with(connection -> sequence.next(connection, count)));
  }

  /**
   * Returns a sequence that needs no transaction, for tests without a database.
   *
   * @param sequence a sequence that accepts any object as a transaction, such as those of an {@code
   *     InMemorySequenceStore}
   */
  public static SpringTransactionalSequence inMemory(TransactionalSequence<Object> sequence) {
    return new SpringTransactionalSequence(
        sequence.name(), count -> sequence.next(sequence, count));
  }

  /**
   * Takes one value at each subscription. Cancellation and thread of delivery are as for {@link
   * TransactionalSequence#next(Object)}.
   *
   * <p>The driver's exceptions are translated to Spring's {@link DataAccessException}, as {@code
   * DatabaseClient} does. After a conflict with another transaction, retry the whole transaction.
   * {@link io.millrace.r2dbc.R2dbcDialect#failure} recognizes conflicts, also after translation;
   * {@link org.springframework.dao.PessimisticLockingFailureException} does not stand for all, such
   * as PostgreSQL's deadlocks and lock time-outs. Spanner's driver reports conflicts as {@code
   * AbortedException}, which is not translated.
   *
   * @return the value. Errors: {@link IllegalTransactionStateException} if there is no transaction
   *     on this connection factory, or it is read-only; those of {@link
   *     TransactionalSequence#next(Object)}
   */
  public Mono<Long> next() {
    return values.apply(1).map(taken -> taken.get(0));
  }

  /**
   * Takes consecutive values; otherwise the same as {@link #next()}.
   *
   * @param count the number of values, at least 1
   * @return the values, rising by 1; errors as for {@link #next()}
   * @throws IllegalArgumentException if {@code count} is below 1
   */
  public Mono<List<Long>> next(int count) {
    StoreArguments.checkCount(count);
    return values.apply(count);
  }

  @Override
  public String toString() {
    return "SpringTransactionalSequence[" + LogSafe.name(name) + "]";
  }

  /**
   * Works on the connection of the current transaction.
   *
   * @param sequence the name that errors show
   */
  record InTransaction(String sequence, ConnectionFactory connections) {

    /** The connection belongs to the transaction, which closes it. */
    <T> Mono<T> with(Function<Connection, Mono<T>> work) {
      return TransactionSynchronizationManager.forCurrentTransaction()
          .onErrorMap(
              NoTransactionException.class, none -> refused("there is no transaction", none))
          .doOnNext(this::check)
          .then(Mono.defer(() -> ConnectionFactoryUtils.getConnection(connections)))
          .flatMap(work)
          .onErrorMap(R2dbcException.class, this::translated);
    }

    private DataAccessException translated(R2dbcException failure) {
      return ConnectionFactoryUtils.convertR2dbcException(
          "Value of sequence " + LogSafe.quote(sequence), null, failure);
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
          ("Values of sequence %s can be taken without gaps in a transaction only, and %s: use"
                  + " @Transactional or TransactionalOperator, or a SequenceGenerator")
              .formatted(LogSafe.quote(sequence), why);
      return cause == null
          ? new IllegalTransactionStateException(message)
          : new IllegalTransactionStateException(message, cause);
    }
  }
}
