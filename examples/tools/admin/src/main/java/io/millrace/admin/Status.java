package io.millrace.admin;

import com.google.cloud.spanner.DatabaseNotFoundException;
import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.InstanceNotFoundException;
import com.google.cloud.spanner.SpannerException;
import io.millrace.SequenceNotFoundException;
import io.millrace.internal.ShownText;
import io.r2dbc.spi.R2dbcBadGrammarException;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcTransientResourceException;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The exit statuses of the tool. */
public enum Status {
  GOOD(0, "good"),
  FINDINGS(1, "an audit found something wrong"),
  WRONG_OPTION(2, "a wrong option"),
  NOT_REACHABLE(3, "the database cannot be reached"),
  FAILED(4, "the database refused a request, or another error"),
  LOGIN_REFUSED(5, "the database refused the login"),
  REFUSED(6, "the tool refused the request, or there is no such sequence; nothing was changed"),
  /** The status of the script that builds the tool. */
  NOT_BUILT(7, "the tool could not be built");

  private static final int CAUSES = 10;
  private static final String INVALID_AUTHORIZATION = "28";

  private final int code;
  private final String meaning;

  Status(int code, String meaning) {
    this.code = code;
    this.meaning = meaning;
  }

  /** Returns the exit status of the process. */
  public int code() {
    return code;
  }

  /** Returns the meaning of the status. */
  public String meaning() {
    return meaning;
  }

  /** Returns the status of a failure. */
  public static Status of(Throwable failure) {
    if (failure instanceof RefusedException || failure instanceof SequenceNotFoundException) {
      return REFUSED;
    }
    if (failure instanceof IllegalArgumentException) {
      return WRONG_OPTION;
    }
    Throwable cause = failure;
    for (int i = 0; i < CAUSES && cause != null; i++) {
      if (isLoginRefused(cause)) {
        return LOGIN_REFUSED;
      }
      if (isUnreachable(cause)) {
        return NOT_REACHABLE;
      }
      cause = cause.getCause();
    }
    return FAILED;
  }

  private static boolean isLoginRefused(Throwable cause) {
    return (cause instanceof R2dbcException answer
            && answer.getSqlState() != null
            && answer.getSqlState().startsWith(INVALID_AUTHORIZATION))
        || (cause instanceof SpannerException refusal
            && refusal.getErrorCode() == ErrorCode.UNAUTHENTICATED);
  }

  /** Whether a statement failed because it names a table that does not exist. */
  static boolean isMissingTable(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof R2dbcBadGrammarException
          || (cause instanceof SpannerException refusal
              && (refusal.getErrorCode() == ErrorCode.INVALID_ARGUMENT
                  || refusal.getErrorCode() == ErrorCode.NOT_FOUND))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isUnreachable(Throwable cause) {
    return cause instanceof IOException
        || cause instanceof TimeoutException
        || cause instanceof R2dbcNonTransientResourceException
        || cause instanceof R2dbcTransientResourceException
        || cause instanceof DatabaseNotFoundException
        || cause instanceof InstanceNotFoundException
        || (cause instanceof SpannerException answer
            && (answer.getErrorCode() == ErrorCode.UNAVAILABLE
                || answer.getErrorCode() == ErrorCode.DEADLINE_EXCEEDED));
  }

  /** Returns the message and, if it adds information, that of the last cause, in one line. */
  public static String line(Throwable failure) {
    Throwable last = failure;
    for (int i = 0; i < CAUSES; i++) {
      Throwable cause = last.getCause();
      if (cause == null) {
        break;
      }
      last = cause;
    }
    String line = text(failure);
    String cause = text(last);
    return Secrets.hidden(line.contains(cause) ? line : line + ": " + cause);
  }

  private static String text(Throwable failure) {
    @Nullable String message = failure.getMessage();
    return ShownText.line(message == null ? failure.getClass().getSimpleName() : message).strip();
  }
}
