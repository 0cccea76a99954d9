package io.millrace.spanner;

import com.google.cloud.spanner.AbortedException;

/**
 * Tells the {@link TransactionLoop} that its own transaction was aborted, as opposed to an abort
 * that the body brought in from elsewhere.
 */
final class AttemptAborted extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final AbortedException abort;

  AttemptAborted(AbortedException abort) {
    super(abort.getMessage(), abort, false, false);
    this.abort = abort;
  }

  AbortedException abort() {
    return abort;
  }
}
