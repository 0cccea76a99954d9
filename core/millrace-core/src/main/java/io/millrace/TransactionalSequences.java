package io.millrace;

import java.util.List;
import java.util.Map;
import reactor.core.publisher.Mono;

/**
 * Takes values of the sequences of a store by name, inside transactions of the application: one
 * counter for each tenant, account or event stream, for any number of names. It retains nothing for
 * a name that no transaction uses. The store that creates the object documents what is specific to
 * its database.
 *
 * <p>As with {@link TransactionalSequence}, the values of each name are unique, in the order of the
 * commits, and without gaps. Transactions that have no name in common do not wait for each other,
 * except with {@link #createMissing} on MySQL and MariaDB, which lock the gaps where missing names
 * would be.
 *
 * @param <C> the type of a transaction: {@code SpannerTransaction}, or R2DBC's {@code Connection}
 */
public interface TransactionalSequences<C> {

  /**
   * Takes values of several sequences, at each subscription. The counters are locked in the order
   * of their names, which is the same in all processes, so two calls do not deadlock. Several calls
   * in one transaction may lock in another order: take all values of a transaction with one call.
   * On MySQL and MariaDB, two transactions that create missing sequences may deadlock on the gaps
   * that they lock; the database aborts one of them, which may be run again.
   *
   * @param transaction the transaction that uses the values
   * @param counts the number of values of each name, 1 or more; at least one name. Copied by the
   *     call
   * @return the values of each name, rising by 1; on a thread that the store names. Errors: {@link
   *     SequencesRefusedException} if some of the sequences have no values to issue, {@link
   *     IllegalStateException} if there is no transaction, or what the database reports. After an
   *     error, roll the transaction back
   * @throws IllegalArgumentException if there is no name, or a count is below 1
   */
  Mono<Map<String, List<Long>>> next(C transaction, Map<String, Integer> counts);

  /**
   * Returns a copy that creates a missing sequence in the transaction that takes its first value.
   * If the transaction does not commit, the sequence stays missing. By default, a missing sequence
   * is an error.
   *
   * @param startValue the first value of a sequence that is created, at most {@link
   *     SequenceState#LARGEST_VALUE}
   * @throws SequenceExhaustedException if {@code startValue} is above that
   */
  TransactionalSequences<C> createMissing(long startValue);
}
