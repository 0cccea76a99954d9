package io.millrace.admin;

import com.google.cloud.spanner.DatabaseNotFoundException;
import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.InstanceNotFoundException;
import com.google.cloud.spanner.SpannerException;
import io.millrace.SequenceNotFoundException;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcPermissionDeniedException;
import io.r2dbc.spi.R2dbcTransientResourceException;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The exit statuses of the tool. */
public final class Status {

  public static final int GOOD = 0;

  /** Something was found, was refused or does not exist. */
  public static final int FINDINGS = 1;

  public static final int WRONG_OPTION = 2;
  public static final int NOT_REACHABLE = 3;
  public static final int FAILED = 4;

  private static final int CAUSES = 10;

  private Status() {}

  public static int of(Throwable failure) {
    if (failure instanceof RefusedException || failure instanceof SequenceNotFoundException) {
      return FINDINGS;
    }
    if (failure instanceof IllegalArgumentException) {
      return WRONG_OPTION;
    }
    Throwable cause = failure;
    for (int i = 0; i < CAUSES && cause != null; i++) {
      if (isUnreachable(cause)) {
        return NOT_REACHABLE;
      }
      cause = cause.getCause();
    }
    return FAILED;
  }

  private static boolean isUnreachable(Throwable cause) {
    return cause instanceof IOException
        || cause instanceof TimeoutException
        || cause instanceof R2dbcNonTransientResourceException
        || cause instanceof R2dbcTransientResourceException
        || cause instanceof R2dbcPermissionDeniedException
        || cause instanceof DatabaseNotFoundException
        || cause instanceof InstanceNotFoundException
        || (cause instanceof SpannerException answer
            && (answer.getErrorCode() == ErrorCode.UNAVAILABLE
                || answer.getErrorCode() == ErrorCode.DEADLINE_EXCEEDED
                || answer.getErrorCode() == ErrorCode.UNAUTHENTICATED));
  }

  /** One line: the message, and that of the last cause if it says more. */
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
    return (message == null ? failure.getClass().getSimpleName() : message)
        .replaceAll("\\s+", " ")
        .strip();
  }
}
