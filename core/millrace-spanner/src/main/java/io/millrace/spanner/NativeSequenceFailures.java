package io.millrace.spanner;

import com.google.cloud.spanner.DatabaseNotFoundException;
import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.InstanceNotFoundException;
import com.google.cloud.spanner.SessionNotFoundException;
import com.google.cloud.spanner.SpannerException;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceStoreException;
import java.util.regex.Pattern;

/**
 * Maps Spanner's refusals of requests to its own sequences to exceptions whose type names the
 * reason. A failure that may be transient stays as it is.
 */
final class NativeSequenceFailures {

  /** No error code means only this, and GoogleSQL and PostgreSQL answer with different codes. */
  private static final Pattern MISSING =
      Pattern.compile(
          "sequence\\b.* not found|relation \"[^\"]*\" does not exist", Pattern.CASE_INSENSITIVE);

  private static final Pattern EXHAUSTED =
      Pattern.compile("sequence\\b.* exhausted", Pattern.CASE_INSENSITIVE);

  private NativeSequenceFailures() {}

  static Throwable translate(NativeQueries queries, Throwable failure) {
    if (!(failure instanceof SpannerException refusal)
        || failure instanceof SessionNotFoundException
        || isExhausted(failure)) {
      return failure;
    }
    if (hasMessage(MISSING, refusal, ErrorCode.NOT_FOUND, ErrorCode.INVALID_ARGUMENT)
        && !(failure instanceof DatabaseNotFoundException)
        && !(failure instanceof InstanceNotFoundException)) {
      return new SequenceNotFoundException(
          queries.sequence(), "the schema of the database", queries.create(), failure);
    }
    return SequenceFailures.isRefusal(refusal.getErrorCode())
        ? new SequenceStoreException(
            queries.sequence(), "was refused by Spanner: " + refusal.getMessage(), refusal)
        : failure;
  }

  /** Whether the counter has reached its end, or only values to skip are left. */
  static boolean isExhausted(Throwable failure) {
    return failure instanceof SpannerException answer
        && hasMessage(EXHAUSTED, answer, ErrorCode.FAILED_PRECONDITION, ErrorCode.OUT_OF_RANGE);
  }

  private static boolean hasMessage(
      Pattern words, SpannerException answer, ErrorCode one, ErrorCode other) {
    return (answer.getErrorCode() == one || answer.getErrorCode() == other)
        && words.matcher(String.valueOf(answer.getMessage())).find();
  }
}
