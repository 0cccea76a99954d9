package io.millrace;

import reactor.core.publisher.Mono;

/**
 * Where the counters of sequences are kept: the service provider interface a database implements.
 *
 * <p>A store is shared by any number of generators and is safe for use by many threads. Every
 * {@code Mono} it returns is cold: nothing happens before it is subscribed to, each subscription is
 * a request of its own, and no method blocks the thread it is called on. Errors come through the
 * {@code Mono}, never as a throw.
 *
 * <p><b>Retries.</b> A store retries what it knows to have had no effect (a conflict between
 * transactions). It reports anything else; the generator retries with a backoff. Failures that a
 * retry cannot mend are reported as a {@link SequenceException} that {@linkplain
 * SequenceException#isPermanent() is permanent}, {@link SequenceNotFoundException}, {@link
 * SequenceExhaustedException} or {@link SequenceStoreException}.
 *
 * <p><b>Unknown outcomes.</b> A reservation whose answer is lost may be sent again: the worst is
 * that a block is never issued. A {@linkplain #release release} whose answer is lost must
 * <em>not</em> be sent again.
 *
 * <p>The contract is checked by {@code io.millrace.test.contract.SequenceStoreContract}, in
 * millrace-test: extend it for a store of your own. {@link DelegatingSequenceStore} is the base of
 * a store over another.
 */
public interface SequenceStore {

  /**
   * Reserves values that nobody was given before and nobody will be given again.
   *
   * <p>Cancelling before the answer may or may not keep the reservation from taking effect; if it
   * took effect, its values are lost.
   *
   * @param sequence the name of the sequence
   * @param size how many values, 1 or more
   * @return a block of exactly {@code size} values, once the reservation is durable. Errors: {@link
   *     SequenceNotFoundException} if there is no such sequence, {@link SequenceExhaustedException}
   *     if so many values do not fit below {@link Long#MAX_VALUE}, {@link IllegalArgumentException}
   *     if {@code size} is below 1, or whatever the database reports
   */
  Mono<SequenceBlock> reserve(String sequence, long size);

  /**
   * Gives back the end of a block, if nothing was reserved since: the counter moves back to the
   * first value of {@code tail} if, and only if, it stands just behind the last.
   *
   * <p>A store sends this once. After an unknown outcome it must not try again: had the first
   * request taken effect, another process could have reserved exactly these values, and the second
   * would take them back from under it.
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
   * Creates the counter of a sequence. A sequence that exists already keeps its counter, so that
   * several processes may call this at once.
   *
   * @param sequence the name of the sequence
   * @param startValue the first value it will give, up to {@link SequenceState#LARGEST_VALUE}
   * @return completes once the sequence exists. Error: {@link SequenceExhaustedException} if {@code
   *     startValue} is larger, from {@link SequenceState#starting}
   */
  Mono<Void> create(String sequence, long startValue);

  /**
   * Reads a sequence's counter, without moving it.
   *
   * @param sequence the name of the sequence
   * @return the state at one moment. Error: {@link SequenceNotFoundException} if there is no such
   *     sequence
   */
  Mono<SequenceState> state(String sequence);

  /**
   * Tells whether the store promises order: a block whose reservation was asked for after another
   * one was answered, by any process, has only values that are greater, and the values of a block
   * rise. A generator with {@code batchSize(1)} needs this promise.
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
   * Returns this store for one generator, such that a sequence it does not know is created at the
   * first request, which then is sent again. Asked for by {@link
   * SequenceGeneratorBuilder#createMissing(long)}. A store that watches the requests of another one
   * overrides this to watch from outside, and so sees one request.
   *
   * @param startValue the first value of a sequence that is created
   * @return a store with the same promises
   */
  default SequenceStore creating(long startValue) {
    return new CreatingStore(this, startValue);
  }
}
