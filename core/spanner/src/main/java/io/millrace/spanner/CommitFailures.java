package io.millrace.spanner;

import com.google.cloud.spanner.AbortedException;
import com.google.cloud.spanner.SpannerException;

/** What the failure of a commit says about its effect. */
final class CommitFailures {

  private CommitFailures() {}

  /**
   * An abort becomes {@link AttemptAborted}; an answer by which Spanner refuses the commit stays
   * what it is; anything else leaves the outcome open.
   *
   * <p>The client itself repeats a commit after {@code UNAVAILABLE} and {@code RESOURCE_EXHAUSTED}.
   * Spanner recognises a commit that it has applied and repeats its answer, so a refusal of the
   * transaction is final. {@code RESOURCE_EXHAUSTED} is none: it may turn a repetition away before
   * anybody looks at the transaction.
   */
  static Throwable classify(Throwable failure) {
    if (failure instanceof AbortedException abort) {
      return new AttemptAborted(abort);
    }
    if (failure instanceof SpannerException answer
        && SequenceFailures.isRefusal(answer.getErrorCode())) {
      return answer;
    }
    return new CommitOutcomeUnknownException(failure);
  }
}
