package io.millrace;

import io.millrace.internal.LogSafe;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a builder rejects an option because its value is out of range or contradicts another
 * option. The message names the option, the value and the limit.
 */
public final class InvalidOptionException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  /** The rejected option. */
  private final String option;

  private final transient @Nullable Object value;

  /** The option that it contradicts, or null. */
  private final @Nullable String other;

  /**
   * Rejects a value that is out of range.
   *
   * @param option the name of the builder's method, followed by that of the parameter if it has
   *     several: {@code blockSize}, {@code backoff jitter}
   * @param rule the rule for the option, such as {@code must be at least 1}; the message is {@code
   *     OPTION RULE, was VALUE}
   */
  public InvalidOptionException(String option, @Nullable Object value, String rule) {
    this(option, value, null, option + " " + rule + ", was " + shown(value));
  }

  /**
   * Rejects a value for a reason other than its range, such as another option.
   *
   * @param option the option to change
   * @param other the option that it contradicts, or null
   * @param message the whole message, with the option, the value and the reason
   */
  public InvalidOptionException(
      String option, @Nullable Object value, @Nullable String other, String message) {
    super(LogSafe.line(message));
    this.option = option;
    this.value = value;
    this.other = other;
  }

  /** Returns a copy whose message begins with the place where the option is set. */
  InvalidOptionException in(String place) {
    return new InvalidOptionException(option, value, other, place + getMessage());
  }

  private static String shown(@Nullable Object value) {
    return value instanceof CharSequence text
        ? LogSafe.quote(text.toString())
        : String.valueOf(value);
  }

  /**
   * {@return the name of the builder's method, followed by that of the parameter if it has several,
   * such as {@code blockSize} or {@code backoff jitter}}
   */
  public String option() {
    return option;
  }

  /** {@return the rejected value; null after deserialization} */
  public @Nullable Object value() {
    return value;
  }

  /** {@return the name of the option that it contradicts; null if the value is out of range} */
  public @Nullable String other() {
    return other;
  }
}
