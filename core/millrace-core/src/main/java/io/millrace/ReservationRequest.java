package io.millrace;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A request for a {@linkplain SequenceStore#reserve(ReservationRequest) reservation}.
 *
 * @param size the number of values, 1 or more
 * @param startIfMissing the first value if the sequence is missing and is to be created; null if a
 *     missing sequence is an error
 */
public record ReservationRequest(String sequence, long size, @Nullable Long startIfMissing) {

  /**
   * Checks the request.
   *
   * @throws IllegalArgumentException if {@code size} is below 1
   * @throws SequenceExhaustedException if {@code startIfMissing} is above {@link
   *     SequenceState#LARGEST_VALUE}
   */
  public ReservationRequest {
    Objects.requireNonNull(sequence, "sequence");
    if (size < 1) {
      throw new IllegalArgumentException("a reservation has at least 1 value, was " + size);
    }
    if (startIfMissing != null) {
      SequenceState.starting(sequence, startIfMissing);
    }
  }

  /**
   * Creates a missing sequence if this request says so, for a store that creates sequences with a
   * separate request.
   *
   * @param store creates the sequence
   * @param work the reservation; if it fails with a {@link SequenceNotFoundException}, the sequence
   *     is created and {@code work} subscribed to again
   * @return the work, preceded by the creation if necessary
   */
  public <T> Mono<T> orCreate(SequenceStore store, Mono<T> work) {
    Long start = startIfMissing;
    return start == null
        ? work
        : work.onErrorResume(
            SequenceNotFoundException.class, missing -> store.create(sequence, start).then(work));
  }
}
