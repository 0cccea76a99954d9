package io.millrace;

import io.millrace.internal.ShownText;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Some of the sequences that a transaction asked for values cannot give them, and no value of any
 * was taken. {@link #reasons()} says why, for each of them; {@link #sequence()} is the first.
 */
public final class SequencesRefusedException extends SequenceException {

  private static final long serialVersionUID = 1L;

  /** By name; null in an exception that was deserialized. */
  private final transient @Nullable Map<String, RuntimeException> reasons;

  /**
   * Creates the failure.
   *
   * @param reasons why each of the sequences gives no value, at least one
   * @param asked how many sequences were asked
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
        + " sequences cannot give their values, so none was taken. The first is "
        + ShownText.quote(first(reasons).getKey())
        + ": "
        + reason(first(reasons).getValue());
  }

  /**
   * Returns why each of the refused sequences gives no value.
   *
   * @return by name: {@link SequenceNotFoundException}, {@link SequenceExhaustedException}, or
   *     {@link IllegalArgumentException} for an illegal name. Unmodifiable; empty in an exception
   *     that was deserialized
   */
  public Map<String, RuntimeException> reasons() {
    return Objects.requireNonNullElse(reasons, Map.of());
  }
}
