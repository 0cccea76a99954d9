package io.millrace;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * What a {@linkplain SequenceStore#reserve(ReservationRequest) reservation} asks for. Immutable.
 *
 * @param sequence the name of the sequence
 * @param size how many values, 1 or more
 * @param startIfMissing the first value of the sequence, which the store creates if there is none;
 *     null if a missing sequence is an error
 * @param skipped values that the block must not contain
 * @see SequenceGeneratorBuilder#createMissing(long)
 * @see SequenceGeneratorBuilder#skip(long, long)
 */
public record ReservationRequest(
    String sequence, long size, @Nullable Long startIfMissing, SkippedValues skipped) {

  /**
   * Checks the request.
   *
   * @param sequence the name of the sequence
   * @param size how many values
   * @param startIfMissing the first value of a sequence to create, or null
   * @param skipped values to skip
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
   * Asks for values of a sequence that exists.
   *
   * @param sequence the name of the sequence
   * @param size how many values
   * @throws IllegalArgumentException if {@code size} is below 1
   */
  public ReservationRequest(String sequence, long size) {
    this(sequence, size, null, SkippedValues.NONE);
  }

  /**
   * The same request for another sequence.
   *
   * @param other the name of the other sequence
   * @return another request
   */
  public ReservationRequest withSequence(String other) {
    return new ReservationRequest(other, size, startIfMissing, skipped);
  }

  /**
   * The same request, for which a missing sequence is created.
   *
   * @param startValue the first value of a new sequence
   * @return another request
   * @throws SequenceExhaustedException if it is above {@link SequenceState#LARGEST_VALUE}
   */
  public ReservationRequest creatingMissing(long startValue) {
    return new ReservationRequest(sequence, size, startValue, skipped);
  }

  /**
   * The same request with other values to skip.
   *
   * @param values the values to skip, in place of those of this request
   * @return another request
   */
  public ReservationRequest skipping(SkippedValues values) {
    return new ReservationRequest(sequence, size, startIfMissing, values);
  }

  /**
   * Creates the sequence if it is missing and this request says so, for a store that needs a second
   * request for that: sends {@code work} again after the creation.
   *
   * @param <T> what the work emits
   * @param store creates the sequence
   * @param work fails with a {@link SequenceNotFoundException} if the sequence is missing
   * @return the work, or the work after the creation
   */
  public <T> Mono<T> orCreate(SequenceStore store, Mono<T> work) {
    Long start = startIfMissing;
    return start == null
        ? work
        : work.onErrorResume(
            SequenceNotFoundException.class, missing -> store.create(sequence, start).then(work));
  }
}
