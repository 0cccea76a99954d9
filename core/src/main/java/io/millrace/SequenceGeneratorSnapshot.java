package io.millrace;

import org.jspecify.annotations.Nullable;

/**
 * What a generator holds and has done, at one moment. {@code issued + buffered + discarded} is the
 * number of values reserved so far.
 *
 * @param sequence the name of the sequence
 * @param buffered values reserved, and neither claimed for a subscriber nor discarded
 * @param waiters subscribers that wait for a value
 * @param unmetDemand values those subscribers have requested and not been given, {@link
 *     Long#MAX_VALUE} if one of them has requested without bound
 * @param reservations reservations that succeeded
 * @param issued values emitted, or claimed for a subscriber that is being served
 * @param discarded values reserved that nobody will be given by this generator: gaps, and what was
 *     given back to the store
 * @param batchSize how many values a reservation obtains now when nobody waits; changes with the
 *     use if the generator is {@linkplain SequenceGeneratorBuilder#adaptive adaptive}. 0 of a
 *     generator that is looked up by name and not made yet
 * @param lowWatermark how many values are left in the buffer now when the next block is reserved; 0
 *     if none is reserved ahead of need
 * @param reservationInFlight whether the store has been asked and has not answered
 * @param lastFailure why the latest attempt to reserve failed; null if it succeeded, or if there
 *     was none yet
 * @param failing whether the latest attempt failed and another is to come: it is under way, or
 *     waits for the delay of the backoff. Until it succeeds nobody can have more than what is
 *     buffered. False again when a delay has passed and nobody waits: whether the store works then
 *     is not known
 * @param disposed whether the generator is disposed
 */
public record SequenceGeneratorSnapshot(
    String sequence,
    long buffered,
    int waiters,
    long unmetDemand,
    long reservations,
    long issued,
    long discarded,
    long batchSize,
    long lowWatermark,
    boolean reservationInFlight,
    @Nullable Throwable lastFailure,
    boolean failing,
    boolean disposed) {}
