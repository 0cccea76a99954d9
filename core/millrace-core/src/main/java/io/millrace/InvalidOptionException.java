package io.millrace;

import io.millrace.internal.ShownText;
import org.jspecify.annotations.Nullable;

/**
 * A builder refuses an option: its value is out of range, or contradicts another option. The
 * message names the option, the value and the limit.
 */
public final class InvalidOptionException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  /** What is refused. */
  private final String option;

  private final transient @Nullable Object value;

  /** The option that it contradicts, or null. */
  private final @Nullable String other;

  /**
   * Refuses a value that is out of range.
   *
   * @param option the option, as the builder's method is called, with the parameter behind it if
   *     there are several: {@code batchSize}, {@code backoff jitter}
   * @param value the refused value
   * @param rule what holds for the option, such as {@code must be at least 1}; the message is
   *     {@code OPTION RULE, was VALUE}
   */
  public InvalidOptionException(String option, @Nullable Object value, String rule) {
    this(option, value, null, option + " " + rule + ", was " + shown(value), null);
  }

  /**
   * Refuses a value for another reason than its range, such as another option.
   *
   * @param option the option to change
   * @param value the refused value
   * @param other the option that it contradicts; null if there is none
   * @param message the whole message, with the option, the value and the reason
   */
  public InvalidOptionException(
      String option, @Nullable Object value, @Nullable String other, String message) {
    this(option, value, other, message, null);
  }

  private InvalidOptionException(
      String option,
      @Nullable Object value,
      @Nullable String other,
      String message,
      @Nullable Throwable cause) {
    super(ShownText.line(message), cause);
    this.option = option;
    this.value = value;
    this.other = other;
  }

  /**
   * Returns the same refusal with a message that says where the option is set.
   *
   * @param place how the message begins
   * @return a refusal whose cause is this one
   */
  public InvalidOptionException in(String place) {
    return new InvalidOptionException(option, value, other, place + getMessage(), this);
  }

  private static String shown(@Nullable Object value) {
    return value instanceof CharSequence text
        ? ShownText.quote(text.toString())
        : String.valueOf(value);
  }

  /**
   * Returns which option is refused.
   *
   * @return the name of the builder's method, with the name of the parameter if there are several,
   *     such as {@code batchSize} or {@code backoff jitter}
   */
  public String option() {
    return option;
  }

  /**
   * Returns the refused value.
   *
   * @return the value; null after deserialization
   */
  public @Nullable Object value() {
    return value;
  }

  /**
   * Returns which option it contradicts.
   *
   * @return the name of that option; null if the value is out of range by itself
   */
  public @Nullable String other() {
    return other;
  }
}
