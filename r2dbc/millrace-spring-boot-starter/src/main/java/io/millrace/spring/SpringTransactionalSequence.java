package io.millrace.spring;

import io.millrace.TransactionalSequence;
import io.millrace.internal.CommitHooks;
import io.millrace.internal.ShownText;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.R2dbcException;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.dao.DataAccessException;
import org.springframework.r2dbc.connection.ConnectionFactoryUtils;
import org.springframework.r2dbc.connection.ConnectionHolder;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronization;
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

  /** What counts: a transaction takes the numbers of equal ones together. */
  private final Object counted;

  private final IntFunction<Mono<List<Long>>> values;

  /** The counter's place in the order in which a transaction takes its numbers. */
  private final Mono<String> counter;

  /** The current transaction; empty where none is needed. */
  private final Mono<TransactionSynchronizationManager> transaction;

  private SpringTransactionalSequence(
      String name,
      Object counted,
      IntFunction<Mono<List<Long>>> values,
      Mono<String> counter,
      Mono<TransactionSynchronizationManager> transaction) {
    this.name = name;
    this.counted = counted;
    this.values = values;
    this.counter = counter;
    this.transaction = transaction;
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
    InTransaction values =
        new InTransaction(
            Objects.requireNonNull(sequence, "sequence"),
            Objects.requireNonNull(connections, "connections"));
    Mono<String> counter =
        sequence instanceof CommitHooks.Counter own ? own.counter() : Mono.just(sequence.name());
    return new SpringTransactionalSequence(
        sequence.name(), sequence, values::next, counter, values.transaction());
  }

  /**
   * Returns a sequence that takes its values from a function and needs no transaction, for tests
   * without a database.
   *
   * @param name the name of the sequence
   * @param values takes the given number of consecutive values
   */
  public static SpringTransactionalSequence inMemory(
      String name, IntFunction<Mono<List<Long>>> values) {
    return new SpringTransactionalSequence(name, name, values, Mono.just(name), Mono.empty());
  }

  /**
   * Takes one value at each subscription. Cancellation and thread of delivery are as for {@link
   * TransactionalSequence#next(Object)}.
   *
   * <p>The driver's exceptions are translated to Spring's {@link DataAccessException}, as {@code
   * DatabaseClient} does. A conflict with another transaction, such as a deadlock or a
   * serialization failure, becomes a {@link
   * org.springframework.dao.PessimisticLockingFailureException}: retry the whole transaction. The
   * drivers of MySQL and MariaDB report some conflicts as other exceptions; {@link
   * io.millrace.r2dbc.R2dbcDialect#failure} recognizes them, also after translation. Spanner's
   * driver reports conflicts as {@code AbortedException}, which is not translated.
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
    if (count < 1) {
      throw new IllegalArgumentException("count must be at least 1, was " + count);
    }
    return values.apply(count);
  }

  /**
   * Takes one value when the work of the transaction is done, and calls a function with it before
   * the commit. Other transactions then wait for the row of the sequence only for one statement,
   * the function and the commit, however long the work takes. Ordered synchronizations of the
   * transaction run before it.
   *
   * <pre>{@code
   * Mono<Invoice> saved = draft(order)
   *     .flatMap(draft -> numbers.atCommit(number -> invoices.save(draft.withNumber(number))))
   *     .as(transactionalOperator::transactional)
   *     .flatMap(numbered -> numbered);       // the saved invoice, after the commit
   * }</pre>
   *
   * <p>Subscribing only registers the function with the current transaction; rolling back to a
   * savepoint does not unregister it. Register the function in the work of the transaction: if
   * {@code beforeCommit} of another synchronization is the first to register one, it is never
   * called, because Spring no longer looks for synchronizations then. {@link
   * TransactionalSequence#atCommit} describes the order of several functions. In a test {@linkplain
   * #inMemory without a database}, the function is called immediately.
   *
   * @param use called with the value; must not block or return null. Its statements run in the
   *     transaction
   * @return emits, at registration, a {@code Mono} of the function's value. Return it from the
   *     transaction and subscribe to it afterwards. It fails with an {@link IllegalStateException}
   *     if the function has not completed or the transaction was rolled back, for example because
   *     it was marked as rollback-only. Errors: those of {@link #next()}
   */
  public <T> Mono<Mono<T>> atCommit(LongFunction<? extends Mono<T>> use) {
    Objects.requireNonNull(use, "use");
    return transaction
        .zipWith(counter)
        .flatMap(
            both -> NumbersAtCommit.of(both.getT1()).number(both.getT2(), counted, values, use))
        .switchIfEmpty(
            Mono.defer(
                () -> {
                  CommitHooks hooks = new CommitHooks();
                  return hooks.number(name, counted, values, use).delayUntil(value -> hooks.run());
                }));
  }

  @Override
  public String toString() {
    return "SpringTransactionalSequence[" + ShownText.name(name) + "]";
  }

  /** Runs after the synchronizations that have an order, and others registered before. */
  private record NumbersAtCommit(CommitHooks hooks) implements TransactionSynchronization, Ordered {

    /** The one object of a transaction. */
    static CommitHooks of(TransactionSynchronizationManager transaction) {
      for (TransactionSynchronization present : transaction.getSynchronizations()) {
        if (present instanceof NumbersAtCommit own) {
          return own.hooks();
        }
      }
      NumbersAtCommit added = new NumbersAtCommit(new CommitHooks());
      transaction.registerSynchronization(added);
      return added.hooks();
    }

    @Override
    public Mono<Void> beforeCommit(boolean readOnly) {
      return hooks.run();
    }

    @Override
    public Mono<Void> afterCompletion(int status) {
      return Mono.fromRunnable(hooks::close);
    }

    @Override
    public int getOrder() {
      return Ordered.LOWEST_PRECEDENCE;
    }
  }

  /** Takes the values on the connection of the current transaction. */
  private record InTransaction(
      TransactionalSequence<Connection> sequence, ConnectionFactory connections) {

    /** The current transaction, if it can take values. */
    Mono<TransactionSynchronizationManager> transaction() {
      return TransactionSynchronizationManager.forCurrentTransaction()
          .onErrorMap(
              NoTransactionException.class, none -> refused("there is no transaction", none))
          .doOnNext(this::check);
    }

    /** The connection belongs to the transaction, which closes it. */
    Mono<List<Long>> next(int count) {
      return transaction()
          .then(Mono.defer(() -> ConnectionFactoryUtils.getConnection(connections)))
          .flatMap(connection -> sequence.next(connection, count))
          .onErrorMap(R2dbcException.class, this::translated);
    }

    private DataAccessException translated(R2dbcException failure) {
      return ConnectionFactoryUtils.convertR2dbcException(
          "Value of sequence " + ShownText.quote(sequence.name()), null, failure);
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
              + ShownText.quote(sequence.name())
              + " can be taken without gaps in a transaction only, and "
              + why
              + ": use @Transactional or TransactionalOperator, or a SequenceGenerator";
      return cause == null
          ? new IllegalTransactionStateException(message)
          : new IllegalTransactionStateException(message, cause);
    }
  }
}
