package io.millrace;

import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What a generator holds and has done, at one moment. {@code issued + buffered + discarded} is the
 * number of values reserved so far. Two snapshots with the same figures are equal.
 */
public interface SequenceGeneratorSnapshot {

  /**
   * Returns the name of the sequence.
   *
   * @return the {@linkplain SequenceGenerator#name() name} of the generator
   */
  String name();

  /**
   * Returns how many values are in the buffer.
   *
   * @return values that are reserved, and neither claimed for a subscriber nor discarded
   */
  long buffered();

  /**
   * Returns how many subscribers wait.
   *
   * @return subscribers that wait for a value
   */
  int waiters();

  /**
   * Returns how many values the waiting subscribers still need.
   *
   * @return values that they have requested and not received, {@link Long#MAX_VALUE} if a request
   *     is unbounded
   */
  long unmetDemand();

  /**
   * Returns how many reservations succeeded.
   *
   * @return reservations that succeeded
   */
  long reservations();

  /**
   * Returns how many values were issued.
   *
   * @return values emitted, or claimed for a subscriber that is being served
   */
  long issued();

  /**
   * Returns how many reserved values this generator will not issue.
   *
   * @return gaps, and values that were given back to the store
   */
  long discarded();

  /**
   * Returns the block size.
   *
   * @return how many values a reservation obtains now if no subscriber waits. It changes with the
   *     demand if the generator is {@linkplain SequenceGeneratorBuilder#adaptive adaptive}. It is 0
   *     for a generator by name that is not made yet
   */
  long blockSize();

  /**
   * Returns the number of buffered values at which the next block is reserved.
   *
   * @return the low watermark that applies now; 0 if no block is reserved before it is needed
   */
  long lowWatermark();

  /**
   * Tells whether a reservation is under way.
   *
   * @return whether a request was sent to the store and is not answered yet
   */
  boolean reservationInFlight();

  /**
   * Returns why the latest attempt failed.
   *
   * @return why the latest attempt to reserve failed; null if it succeeded, or if there was no
   *     attempt yet
   */
  @Nullable Throwable lastFailure();

  /**
   * Tells whether reservations fail at present.
   *
   * @return whether the latest attempt failed and the next one is under way or waits for the
   *     backoff delay. Until it succeeds, only buffered values are issued. False again if the delay
   *     has passed and no subscriber waits: then it is not known whether the store works
   */
  boolean failing();

  /**
   * Tells whether the generator is disposed.
   *
   * @return whether the generator is disposed
   */
  boolean disposed();

  /**
   * Returns how many values the sequence has left: those above the generator's latest block, up to
   * {@code maxValue}. Values that are buffered, here or in other processes, are not left; values to
   * skip count. It changes only when this generator reserves, so the values that other processes
   * have reserved since count, too.
   *
   * @return 0 or more; empty before the first reservation, and if the store is not {@linkplain
   *     SequenceStore#isOrdered() ordered} or returns explicit values
   */
  OptionalLong remaining();

  /**
   * Returns which part of the values is {@linkplain #remaining() left}.
   *
   * @return from 0 to 1, of the values from 1, or from the start value of {@code createMissing}, up
   *     to {@code maxValue}; empty if it is unknown
   */
  OptionalDouble remainingShare();
}
