package io.millrace.r2dbc;

import io.millrace.SequenceState;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The value that a counter probably has: where the last call ended, if no other process moves the
 * counter. It is a hint. A statement that uses it moves the counter only from this value.
 *
 * <p>A value is expected after a run of calls that each began where the call before had ended. The
 * required length of the run is 1 at first, doubles after a value that could not be used (to at
 * most 1,000), and halves after a value that was right. A counter that several processes or groups
 * move at a time, or a statement that the database refuses, therefore costs little.
 */
final class ExpectedValue {

  private static final int MOST_REQUIRED = 1_000;

  /**
   * What is known from the calls so far.
   *
   * @param end where the last call ended; null if there was none
   * @param continued how many calls in a row began there
   * @param required how many of them it takes to expect a value
   */
  private record Known(@Nullable SequenceState end, int continued, int required) {}

  private final AtomicReference<Known> known = new AtomicReference<>(new Known(null, 0, 1));

  /** Notes the state before a call took its values, and after it. */
  void taken(SequenceState before, SequenceState after) {
    known.updateAndGet(
        last -> new Known(after, before.equals(last.end) ? last.continued + 1 : 0, last.required));
  }

  /** Notes that the counter had the expected value, and its state now. */
  void confirmed(SequenceState after) {
    known.updateAndGet(
        last -> {
          int required = Math.max(1, last.required / 2);
          return new Known(after, required, required);
        });
  }

  /** Notes that an expected value could not be used. */
  void failed() {
    known.updateAndGet(last -> new Known(last.end, 0, Math.min(2 * last.required, MOST_REQUIRED)));
  }

  /** The expected state; null if none is expected. */
  @Nullable SequenceState get() {
    Known now = Objects.requireNonNull(known.get());
    return now.continued >= now.required ? now.end : null;
  }
}
