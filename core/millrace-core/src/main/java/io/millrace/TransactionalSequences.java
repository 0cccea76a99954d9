package io.millrace;

import java.util.List;
import java.util.Map;
import reactor.core.publisher.Mono;

/**
 * The sequences of a store by name, for use inside transactions of the application: one counter for
 * each tenant, account or event stream, for any number of names. It keeps nothing for a name that
 * no transaction uses. A store makes the object, and documents the details of its database.
 *
 * <p>What {@link TransactionalSequence} says of the values of one sequence holds for each name
 * here: unique, in the order of the commits, without gaps. Transactions that have no name in common
 * do not wait for each other, except with {@link #createMissing} on MySQL and MariaDB, which lock
 * the gaps where missing names would be.
 *
 * @param <C> the type of a transaction: {@code SpannerTransaction}, or R2DBC's {@code Connection}
 */
public interface TransactionalSequences<C> {

  /**
   * Takes values of several sequences, at each subscription, with as few requests as the database
   * allows, however many names there are. The counters are locked in an order of their names that
   * is the same in all processes, so two calls do not wait for each other in a circle. Several
   * calls in one transaction may lock in another order; so take all values of a transaction with
   * one call. On MySQL and MariaDB, two transactions that create missing sequences may deadlock on
   * the gaps that they lock; the database ends one, which may be run again.
   *
   * @param transaction the transaction that uses the values
   * @param counts how many values of each name, 1 or more; at least one name. Copied at the call
   * @return the values of each name, rising, by 1 where none is skipped; on a thread that the store
   *     names. Errors: {@link SequencesRefusedException} if some of the sequences cannot give their
   *     values, {@link IllegalStateException} if there is no transaction, or what the database
   *     reports. After an error, roll the transaction back
   * @throws IllegalArgumentException if there is no name, or a count is below 1
   */
  Mono<Map<String, List<Long>>> next(C transaction, Map<String, Integer> counts);

  /**
   * Returns the same sequences, which are created when they are missing, in the transaction that
   * takes their first value. If it does not commit, they stay missing. By default, a missing
   * sequence is an error.
   *
   * @param startValue the first value of a sequence that is created, at most {@link
   *     SequenceState#LARGEST_VALUE}
   * @return the sequences; this object is not changed
   * @throws SequenceExhaustedException if {@code startValue} is above that
   */
  TransactionalSequences<C> createMissing(long startValue);

  /**
   * Returns the same sequences without some values. None is lost before a skipped range. By
   * default, none is skipped.
   *
   * @param skipped the values to skip, of each name
   * @return the sequences; this object is not changed
   */
  TransactionalSequences<C> skip(SkippedValues skipped);
}
