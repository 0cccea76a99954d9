package io.millrace.spanner;

import com.google.cloud.spanner.AbortedException;
import com.google.cloud.spanner.SpannerException;

/** Tells from the failure of a commit whether the commit may have taken effect. */
final class CommitFailures {

  private CommitFailures() {}

  /**
   * Maps an abort to {@link AttemptAborted}. An answer with which Spanner refuses the commit stays
   * as it is. After any other failure it is unknown whether the commit took effect.
   *
   * <p>The client itself sends a commit again after {@code UNAVAILABLE} and {@code
   * RESOURCE_EXHAUSTED}. Spanner recognises a commit that it has applied and repeats its answer, so
   * a refusal of the transaction is final. {@code RESOURCE_EXHAUSTED} is not such a refusal: with
   * it Spanner may reject the second request before it looks at the transaction.
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
