package io.millrace.spring.boot;

import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A fault of the emulator before 1.5.38: it cannot run two read-write transactions on the
 * multiplexed session that Spanner's client uses, and answers that there is no such transaction.
 */
record EmulatorSessions(Map<String, String> environment) {

  /** The variable by which Spanner's clients find an emulator. */
  static final String HOST = "SPANNER_EMULATOR_HOST";

  static final String VARIABLE = "GOOGLE_CLOUD_SPANNER_MULTIPLEXED_SESSIONS_FOR_RW";

  private static final Pattern UNKNOWN_TRANSACTION =
      Pattern.compile("Transaction not found|Invalid transaction ID", Pattern.CASE_INSENSITIVE);

  /**
   * The end of a message that says what to do about a failure; empty if the failure is not of this
   * kind.
   */
  String advice(Throwable failure) {
    boolean applies =
        !environment.getOrDefault(HOST, "").isBlank()
            && !environment.getOrDefault(VARIABLE, "").equalsIgnoreCase("false")
            && Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .limit(50)
                .anyMatch(
                    each -> UNKNOWN_TRANSACTION.matcher(String.valueOf(each.getMessage())).find());
    return applies
        ? "; a Spanner emulator before 1.5.38 needs " + VARIABLE + "=false in the environment"
        : "";
  }
}
