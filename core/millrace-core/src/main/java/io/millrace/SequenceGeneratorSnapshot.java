package io.millrace;

import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The state and the counts of a generator at one moment. {@code issued + buffered + discarded} is
 * the number of values reserved so far. Two snapshots with the same figures are equal.
 */
public interface SequenceGeneratorSnapshot {

  /** {@return the {@linkplain SequenceGenerator#name() name} of the sequence} */
  String name();

  /**
   * {@return the number of buffered values: reserved, and neither claimed for a subscriber nor
   * discarded}
   */
  long buffered();

  /** {@return the number of subscribers that are waiting for a value} */
  int waiters();

  /**
   * {@return the number of values that waiting subscribers have requested and not received, {@link
   * Long#MAX_VALUE} if a request is unbounded}
   */
  long unmetDemand();

  /** {@return the number of reservations that succeeded} */
  long reservations();

  /**
   * {@return the number of values issued: emitted, or claimed for a subscriber that is being
   * served}
   */
  long issued();

  /**
   * {@return the number of reserved values that this generator will not issue: gaps, and values
   * released to the store}
   */
  long discarded();

  /**
   * Returns how many values a reservation obtains if no subscriber waits. An {@linkplain
   * SequenceGeneratorBuilder#adaptive adaptive} generator changes it with the demand.
   *
   * @return the current block size; 0 for a generator by name that does not exist yet
   */
  long blockSize();

  /**
   * {@return the current low watermark: the number of buffered values at which the next block is
   * reserved; 0 if no block is reserved before it is needed}
   */
  long lowWatermark();

  /** {@return whether a reservation was sent to the store and is not answered yet} */
  boolean reservationInFlight();

  /**
   * {@return the failure of the latest attempt to reserve; null if it succeeded or there was none}
   */
  @Nullable Throwable lastFailure();

  /**
   * Returns whether reservations are failing: the latest attempt failed, and the next one is under
   * way or waits for the backoff delay. Until it succeeds, only buffered values are issued. False
   * once the delay has passed and no subscriber waits, because the state of the store is then
   * unknown.
   *
   * @return true if reservations are failing
   */
  boolean failing();

  /** {@return whether the generator is disposed} */
  boolean disposed();

  /**
   * Returns how many values the sequence has left: those above the generator's latest block, up to
   * {@code maxValue}, including values to skip. Changes only when this generator reserves, so
   * values that other processes have reserved since are included.
   *
   * @return 0 or more; empty before the first reservation, and if the store is not {@linkplain
   *     SequenceStore#isOrdered() ordered} or returns explicit values
   */
  OptionalLong remaining();

  /**
   * Returns the fraction of the values that is {@linkplain #remaining() left}, of those from 1, or
   * from the start value of {@code createMissing}, up to {@code maxValue}.
   *
   * @return from 0 to 1; empty if it is unknown
   */
  OptionalDouble remainingShare();
}
