package io.millrace;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * What a {@linkplain SequenceStore#reserve(ReservationRequest) reservation} asks for.
 *
 * @param sequence the name of the sequence
 * @param size how many values, 1 or more
 * @param startIfMissing the first value of the sequence, which is created if it is missing; null if
 *     a missing sequence is an error
 * @param skipped the values that the block must not contain
 */
public record ReservationRequest(
    String sequence, long size, @Nullable Long startIfMissing, SkippedValues skipped) {

  /**
   * Checks the request.
   *
   * @param sequence the name of the sequence
   * @param size how many values
   * @param startIfMissing the first value of the sequence if it is missing, or null
   * @param skipped the values to leave out
   * @throws IllegalArgumentException if {@code size} is below 1
   * @throws SequenceExhaustedException if {@code startIfMissing} is above {@link
   *     SequenceState#LARGEST_VALUE}
   */
  public ReservationRequest {
    Objects.requireNonNull(sequence, "sequence");
    Objects.requireNonNull(skipped, "skipped");
    if (size < 1) {
      throw new IllegalArgumentException("a reservation has at least 1 value, was " + size);
    }
    if (startIfMissing != null) {
      SequenceState.starting(sequence, startIfMissing);
    }
  }

  /**
   * Creates a missing sequence if this request says so, for a store that needs another request for
   * that.
   *
   * @param <T> what the work emits
   * @param store creates the sequence
   * @param work fails with a {@link SequenceNotFoundException} if the sequence is missing; then it
   *     is subscribed to again after the creation
   * @return the work
   */
  public <T> Mono<T> orCreate(SequenceStore store, Mono<T> work) {
    Long start = startIfMissing;
    return start == null
        ? work
        : work.onErrorResume(
            SequenceNotFoundException.class, missing -> store.create(sequence, start).then(work));
  }
}
