package io.millrace;

import io.millrace.internal.LogSafe;
import reactor.core.publisher.Mono;

/**
 * Stores the counters of sequences. This is the service provider interface for databases.
 *
 * <p>A store is thread-safe; any number of generators may share it. Every {@code Mono} is cold:
 * nothing happens before subscription, and each subscription is a separate request. Methods neither
 * block nor throw; errors are signalled by the {@code Mono}.
 *
 * <p><b>Retries.</b> A store retries only after a conflict between transactions, when it knows that
 * the request had no effect. It reports every other failure, and the generator retries with a
 * backoff. If a retry cannot help, the store reports a {@link SequenceException} that {@linkplain
 * SequenceException#isPermanent() is permanent}: {@link SequenceNotFoundException}, {@link
 * SequenceExhaustedException} or {@link SequenceStoreException}.
 *
 * <p><b>Unknown outcomes.</b> A reservation whose answer is lost may be sent again: at worst, a
 * block is never issued. A {@linkplain #release release} whose answer is lost must <em>not</em> be
 * sent again.
 *
 * <p>{@code io.millrace.test.contract.SequenceStoreContract}, in millrace-test, checks this
 * contract: extend it to test your store. {@link DelegatingSequenceStore} is the base class of a
 * store that wraps another one.
 */
public interface SequenceStore {

  /**
   * Reserves values that no other reservation obtains, before or later.
   *
   * <p>A missing sequence is created in the same step if the request {@linkplain
   * ReservationRequest#startIfMissing() says so}. Several requests may do so concurrently, and an
   * existing sequence keeps its counter. The store does not remember sequences: one that was
   * deleted is missing.
   *
   * <p>Cancelling before the answer may or may not prevent the reservation. If the reservation took
   * effect, its values are lost.
   *
   * @param request the sequence, the number of values, and what to do about a missing sequence
   * @return a block of exactly as many values as requested, once the reservation is durable.
   *     Errors: {@link SequenceNotFoundException} if there is no such sequence, {@link
   *     SequenceExhaustedException} if fewer values are left below {@link Long#MAX_VALUE}, or
   *     whatever the database reports
   */
  Mono<SequenceBlock> reserve(ReservationRequest request);

  /**
   * Reserves values of an existing sequence.
   *
   * @param size the number of values, 1 or more
   * @return as for {@link #reserve(ReservationRequest)}. Also an error: {@link
   *     IllegalArgumentException} if {@code size} is below 1
   */
  default Mono<SequenceBlock> reserve(String sequence, long size) {
    return Mono.defer(() -> reserve(new ReservationRequest(sequence, size, null)));
  }

  /**
   * Releases the end of a block, unless values were reserved since: the counter moves back to the
   * first value of {@code tail} if and only if its next value is the one after the last of {@code
   * tail}.
   *
   * <p>After an unknown outcome, a store must not send the request again. The first request may
   * have taken effect, and another process may have reserved exactly these values since. A second
   * request would then release values that are in use.
   *
   * @param tail the last values of the newest block, none of which was or will be issued
   * @return true if the values were released; false if the counter has moved on, so they are a gap,
   *     or if the store is not {@linkplain #isReleasable() releasable}
   */
  default Mono<Boolean> release(String sequence, SequenceBlock tail) {
    return Mono.just(false);
  }

  /**
   * Creates the counter of a sequence. An existing sequence keeps its counter, so several processes
   * may call this at once.
   *
   * @param startValue the first value of the sequence, up to {@link SequenceState#LARGEST_VALUE}
   * @return completes once the sequence exists. Error: {@link SequenceExhaustedException} if {@code
   *     startValue} is larger, from {@link SequenceState#starting}
   */
  Mono<Void> create(String sequence, long startValue);

  /**
   * Reads the counter of a sequence without moving it.
   *
   * @return the state at one moment. Error: {@link SequenceNotFoundException} if there is no such
   *     sequence
   */
  Mono<SequenceState> state(String sequence);

  /**
   * Advances a counter, for example past values that are already in use. A counter that is at
   * {@code nextValue} or above does not change, so a request whose answer was lost may be sent
   * again, and several may be sent at once.
   *
   * @param nextValue the smallest value that the sequence may issue from now on
   * @return the state of the counter afterwards. Errors: {@link SequenceNotFoundException} if there
   *     is no such sequence, {@link UnsupportedOperationException} by default
   */
  default Mono<SequenceState> advanceTo(String sequence, long nextValue) {
    return Mono.error(
        () ->
            new UnsupportedOperationException(
                this + " cannot advance sequence " + LogSafe.quote(sequence)));
  }

  /**
   * Returns whether the store promises order: the values of a reservation are greater than those of
   * any reservation that was answered before it was requested, in any process, and the values
   * within a block rise. A generator with {@code blockSize(1)} needs this promise.
   *
   * @return true if blocks rise in real time
   */
  boolean isOrdered();

  /** {@return whether {@link #release} can release the end of the newest block} */
  boolean isReleasable();
}
