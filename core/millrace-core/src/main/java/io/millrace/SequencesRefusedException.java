package io.millrace;

import io.millrace.internal.LogSafe;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a transaction takes values of several sequences and some of them have none to issue.
 * The others may have been taken, so the transaction must be rolled back. {@link #reasons()} has
 * the failure of each; {@link #sequence()} is the first.
 */
public final class SequencesRefusedException extends SequenceException {

  private static final long serialVersionUID = 1L;

  /** By name; null in an exception that was deserialized. */
  private final transient @Nullable Map<String, RuntimeException> reasons;

  /**
   * Creates the failure.
   *
   * @param reasons the failure of each sequence without values, at least one
   * @param asked the number of sequences in the request
   */
  public SequencesRefusedException(Map<String, ? extends RuntimeException> reasons, int asked) {
    super(first(reasons).getKey(), message(reasons, asked), first(reasons).getValue());
    this.reasons = Collections.unmodifiableMap(new LinkedHashMap<>(reasons));
  }

  private static <R> Map.Entry<String, R> first(Map<String, R> reasons) {
    return reasons.entrySet().iterator().next();
  }

  private static String message(Map<String, ? extends RuntimeException> reasons, int asked) {
    return reasons.size()
        + " of "
        + asked
        + " sequences cannot issue values. Roll the transaction back. The first is "
        + LogSafe.quote(first(reasons).getKey())
        + ": "
        + reason(first(reasons).getValue());
  }

  /**
   * Returns the failures by the name of the sequence.
   *
   * @return {@link SequenceNotFoundException}, {@link SequenceExhaustedException}, or {@link
   *     IllegalArgumentException} for an illegal name. Unmodifiable; empty in an exception that was
   *     deserialized
   */
  public Map<String, RuntimeException> reasons() {
    return Objects.requireNonNullElse(reasons, Map.of());
  }
}
