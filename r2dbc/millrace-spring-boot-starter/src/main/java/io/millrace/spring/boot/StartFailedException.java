package io.millrace.spring.boot;

import io.millrace.internal.LogSafe;
import org.jspecify.annotations.Nullable;

/** The application cannot start, and it is known what to change. */
final class StartFailedException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  private final String description;
  private final String action;

  /** The rejected property, without its prefix; null if the cause is not a property. */
  private final @Nullable String property;

  /**
   * @param description what is wrong; on one line, it is also the message
   * @param action what to change
   */
  StartFailedException(String description, String action) {
    this(description, action, null);
  }

  private StartFailedException(String description, String action, @Nullable String property) {
    super(LogSafe.line(description));
    this.description = description;
    this.action = action;
    this.property = property;
  }

  /** Rejects a property. {@link StartFailureAnalyzer} adds its value and where it was set. */
  static StartFailedException ofProperty(String property, @Nullable String reason) {
    return new StartFailedException(
        "The property " + ConfiguredNames.shown(property) + " is refused: " + reason,
        "Change the value as the reason says.",
        property);
  }

  String description() {
    return description;
  }

  String action() {
    return action;
  }

  @Nullable String property() {
    return property;
  }
}
