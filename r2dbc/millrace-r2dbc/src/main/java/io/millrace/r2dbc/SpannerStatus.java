package io.millrace.r2dbc;

import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcTransientResourceException;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The meaning of a failure of Cloud Spanner. The driver passes the exceptions of its client on.
 * They have no SQLSTATE, and this module does not depend on their classes. But each message begins
 * with the status.
 */
final class SpannerStatus {

  private static final Pattern CLASS =
      Pattern.compile("(com\\.google\\.(cloud\\.spanner|api\\.gax)|io\\.grpc)\\..*");
  private static final Pattern STATUS =
      Pattern.compile("([A-Z]+(?:_[A-Z]+)*)(?::.*|$)", Pattern.DOTALL);

  /**
   * A missing table has no separate code, and the text differs between GoogleSQL and PostgreSQL.
   * Only names of codes and classes may stand before these words, because later text in a message
   * may be from a row. A missing column does not match: PostgreSQL names it before its "relation".
   */
  private static final Pattern NO_TABLE =
      Pattern.compile(
          "^(?:[\\w.]+: |\\[ERROR] )*"
              + "(?:table not found|relation \"[^\"]*\" does not exist|schema not found)",
          Pattern.CASE_INSENSITIVE);

  private SpannerStatus() {}

  static FailureKind kind(Throwable failure) {
    String name = failure.getClass().getName();
    String message = String.valueOf(failure.getMessage());
    Matcher status = STATUS.matcher(message);
    if (!CLASS.matcher(name).matches()
        || name.endsWith(".SessionNotFoundException")
        || !status.matches()) {
      return ofPool(failure) ? FailureKind.CONNECTION_LOST : FailureKind.OTHER;
    }
    return switch (status.group(1)) {
      case "ABORTED" -> FailureKind.CONFLICT;
      case "ALREADY_EXISTS" -> FailureKind.DUPLICATE_KEY;
      case "NOT_FOUND", "INVALID_ARGUMENT" ->
          NO_TABLE.matcher(message).find() ? FailureKind.TABLE_MISSING : FailureKind.REFUSED;
      case "PERMISSION_DENIED", "UNAUTHENTICATED" -> FailureKind.NOT_PERMITTED;
      case "FAILED_PRECONDITION", "OUT_OF_RANGE", "UNIMPLEMENTED" -> FailureKind.REFUSED;
      case "UNAVAILABLE", "DEADLINE_EXCEEDED", "UNKNOWN", "INTERNAL", "CANCELLED" ->
          FailureKind.CONNECTION_LOST;
      default -> FailureKind.OTHER;
    };
  }

  /** Whether a pool has no connection to give. With a cause, the cause says more. */
  private static boolean ofPool(Throwable failure) {
    return failure.getCause() == null
        && (failure instanceof R2dbcNonTransientResourceException
            || failure instanceof R2dbcTransientResourceException
            || failure instanceof IOException);
  }
}
