package io.millrace;

import io.millrace.internal.LogSafe;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The state and the counts of a generator at one moment. {@code issued + buffered + discarded} is
 * the number of values reserved so far.
 *
 * @param name the {@linkplain SequenceGenerator#name() name} of the sequence
 * @param buffered the number of buffered values: reserved, and neither claimed for a subscriber nor
 *     discarded
 * @param waiters the number of subscribers that are waiting for a value
 * @param unmetDemand the number of values that waiting subscribers have requested and not received,
 *     {@link Long#MAX_VALUE} if a request is unbounded
 * @param reservations the number of reservations that succeeded
 * @param issued the number of values issued: emitted, or claimed for a subscriber that is being
 *     served
 * @param discarded the number of reserved values that this generator will not issue: gaps, and
 *     values released to the store
 * @param blockSize how many values a reservation obtains if no subscriber waits; an {@linkplain
 *     SequenceGeneratorBuilder#adaptive adaptive} generator changes it with the demand; 0 for a
 *     generator by name that does not exist yet
 * @param lowWatermark the current low watermark: the number of buffered values at which the next
 *     block is reserved; 0 if no block is reserved before it is needed
 * @param reservationInFlight whether a reservation was sent to the store and is not answered yet
 * @param lastFailure the failure of the latest attempt to reserve; null if it succeeded or there
 *     was none
 * @param failing whether reservations are failing: the latest attempt failed, and the next one is
 *     under way or waits for the backoff delay. Until it succeeds, only buffered values are issued.
 *     False once the delay has passed and no subscriber waits, because the state of the store is
 *     then unknown
 * @param disposed whether the generator is disposed
 * @param remaining how many values the sequence has left: those above the generator's latest block,
 *     up to {@code maxValue}. Changes only when this generator reserves, so values that other
 *     processes have reserved since are included. Empty before the first reservation, and if the
 *     store is not {@linkplain SequenceStore#isOrdered() ordered} or returns explicit values
 */
public record SequenceGeneratorSnapshot(
    String name,
    long buffered,
    int waiters,
    long unmetDemand,
    long reservations,
    long issued,
    long discarded,
    long blockSize,
    long lowWatermark,
    boolean reservationInFlight,
    @Nullable Throwable lastFailure,
    boolean failing,
    boolean disposed,
    OptionalLong remaining) {

  @Override
  public String toString() {
    return ("SequenceGeneratorSnapshot[name=%s, buffered=%s, waiters=%s, unmetDemand=%s,"
            + " reservations=%s, issued=%s, discarded=%s, blockSize=%s, lowWatermark=%s,"
            + " reservationInFlight=%s, lastFailure=%s, failing=%s, disposed=%s, remaining=%s]")
        .formatted(
            LogSafe.name(name),
            buffered,
            waiters,
            unmetDemand,
            reservations,
            issued,
            discarded,
            blockSize,
            lowWatermark,
            reservationInFlight,
            LogSafe.line(String.valueOf(lastFailure)),
            failing,
            disposed,
            remaining.isPresent() ? remaining.getAsLong() : "unknown");
  }
}
