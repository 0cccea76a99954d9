package io.millrace;

import io.millrace.internal.ShownText;
import reactor.core.publisher.Mono;

/**
 * Keeps the counters of sequences. This is the service provider interface that a database
 * implements.
 *
 * <p>Any number of generators share a store. It is safe for use by many threads. Every {@code Mono}
 * that it returns is cold: nothing happens before subscription, and each subscription is a separate
 * request. No method blocks the calling thread. Methods do not throw; errors come through the
 * {@code Mono}.
 *
 * <p><b>Retries.</b> A store retries a request that it knows to have had no effect, after a
 * conflict between transactions. It reports every other failure, and the generator retries with a
 * backoff. If a retry cannot help, the store reports a {@link SequenceException} that {@linkplain
 * SequenceException#isPermanent() is permanent}: {@link SequenceNotFoundException}, {@link
 * SequenceExhaustedException} or {@link SequenceStoreException}.
 *
 * <p><b>Unknown outcomes.</b> A reservation whose answer is lost may be sent again: in the worst
 * case a block is never issued. A {@linkplain #release release} whose answer is lost must
 * <em>not</em> be sent again.
 *
 * <p>{@code io.millrace.test.contract.SequenceStoreContract}, in millrace-test, checks this
 * contract: extend it for your own store. {@link DelegatingSequenceStore} is the base class of a
 * store that wraps another one.
 */
public interface SequenceStore {

  /**
   * Reserves values that no other reservation obtains, before or later.
   *
   * <p>A sequence that is missing is created in the same step, if the request {@linkplain
   * ReservationRequest#startIfMissing() says so}: several requests may do so at once, and one that
   * exists keeps its counter. The store does not remember a sequence: one that was deleted is
   * missing.
   *
   * <p>A counter that comes to a {@linkplain ReservationRequest#skipped() skipped} range continues
   * behind it; values that do not fill a block before the range are lost. The request that skips
   * and others share the counter, so all processes have to skip the same values.
   *
   * <p>A cancel before the answer may or may not prevent the reservation. If the reservation took
   * effect, its values are lost.
   *
   * @param request the sequence, how many values, and what to do about a missing sequence and about
   *     values to skip
   * @return a block of exactly as many values as requested, once the reservation is durable.
   *     Errors: {@link SequenceNotFoundException} if there is no such sequence, {@link
   *     SequenceExhaustedException} if fewer values are left below {@link Long#MAX_VALUE}, {@link
   *     UnsupportedOperationException} if values are to be skipped and this store {@linkplain
   *     #canSkip() cannot}, or whatever the database reports
   */
  Mono<SequenceBlock> reserve(ReservationRequest request);

  /**
   * Reserves values of a sequence that exists, and skips none.
   *
   * @param sequence the name of the sequence
   * @param size how many values, 1 or more
   * @return as for {@link #reserve(ReservationRequest)}. Another error: {@link
   *     IllegalArgumentException} if {@code size} is below 1
   */
  default Mono<SequenceBlock> reserve(String sequence, long size) {
    return Mono.defer(
        () -> reserve(new ReservationRequest(sequence, size, null, SkippedValues.NONE)));
  }

  /**
   * Gives back the end of a block, if nothing was reserved since. The counter moves back to the
   * first value of {@code tail} if and only if its next value is the one after the last of {@code
   * tail}.
   *
   * <p>A store sends this once. After an unknown outcome it must not send it again. The first
   * request may have taken effect, and another process may have reserved exactly these values
   * since. Then the second request would take them back although they are in use.
   *
   * @param sequence the name of the sequence
   * @param tail the last values of the newest block, none of which was issued or will be
   * @return true if the values were given back, false if the counter has moved on and they are a
   *     gap. A store that is not {@linkplain #isReleasable() releasable} answers false
   */
  default Mono<Boolean> release(String sequence, SequenceBlock tail) {
    return Mono.just(false);
  }

  /**
   * Creates the counter of a sequence. A sequence that exists already keeps its counter, so several
   * processes may call this at once.
   *
   * @param sequence the name of the sequence
   * @param startValue the first value of the sequence, up to {@link SequenceState#LARGEST_VALUE}
   * @return completes once the sequence exists. Error: {@link SequenceExhaustedException} if {@code
   *     startValue} is larger, from {@link SequenceState#starting}
   */
  Mono<Void> create(String sequence, long startValue);

  /**
   * Reads the counter of a sequence and does not move it.
   *
   * @param sequence the name of the sequence
   * @return the state at one moment. Error: {@link SequenceNotFoundException} if there is no such
   *     sequence
   */
  Mono<SequenceState> state(String sequence);

  /**
   * Takes all values that are left out of use, for good. This happens if the counter is below a
   * limit, or if there is no such sequence, which is then created without values. From then on the
   * counter is {@link Long#MAX_VALUE}, and every reservation fails with a {@link
   * SequenceExhaustedException}. A request whose answer was lost may be sent again.
   *
   * <p>{@code StripedSequenceStore} does this to the plain sequence of its name. It does not see
   * who ended a plain sequence. If its creation of that name was cut short before, or refused, it
   * takes the name for a striped one, and begins at the start value that it recorded then. So do
   * not end a plain sequence yourself if its name is to be used, or was to be, by a striped store.
   *
   * @param sequence the name of the sequence
   * @param limit the counter of an existing sequence has to be below it; {@link Long#MIN_VALUE}
   *     leaves every existing sequence as it is
   * @return true if the sequence has no value now, also because of an earlier request; false if its
   *     counter is at the limit or above, and did not change. Error: {@link
   *     UnsupportedOperationException} if this store cannot do it, the default
   */
  default Mono<Boolean> exhaust(String sequence, long limit) {
    return Mono.error(
        () ->
            new UnsupportedOperationException(
                this
                    + " cannot take the values of sequence "
                    + ShownText.quote(sequence)
                    + " out of use"));
  }

  /**
   * Moves a counter forward, for example past values that are in use already. A counter never moves
   * back: one that is at {@code nextValue} or above does not change. So a request whose answer was
   * lost may be sent again, and several may be sent at once.
   *
   * @param sequence the name of the sequence
   * @param nextValue the smallest value that the sequence may give from now on
   * @return the state of the counter afterwards. Errors: {@link SequenceNotFoundException} if there
   *     is no such sequence, {@link UnsupportedOperationException} if this store cannot do it, the
   *     default
   */
  default Mono<SequenceState> moveForward(String sequence, long nextValue) {
    return Mono.error(
        () ->
            new UnsupportedOperationException(
                this + " cannot move the counter of sequence " + ShownText.quote(sequence)));
  }

  /**
   * Tells whether the store promises order: if a reservation is requested after another one was
   * answered, in any process, all its values are greater. The values within a block rise, too. A
   * generator with {@code batchSize(1)} needs this promise.
   *
   * @return true if blocks rise in real time
   */
  boolean isOrdered();

  /**
   * Tells whether {@link #release} can give values back.
   *
   * @return true if the end of the newest block can be given back
   */
  boolean isReleasable();

  /**
   * Tells whether a reservation can skip values. If not, a generator that {@linkplain
   * SequenceGeneratorBuilder#skip skips} some cannot be built.
   *
   * @return by default false
   */
  default boolean canSkip() {
    return false;
  }
}
