package io.millrace.spanner;

import com.google.cloud.spanner.AbortedException;

/**
 * Reports to the {@link TransactionScope} that the attempt's own transaction was aborted. An abort
 * that the body passes on from another transaction is not reported with this class.
 */
final class AttemptAborted extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final AbortedException abort;

  AttemptAborted(AbortedException abort) {
    super(null, abort, false, false);
    this.abort = abort;
  }

  AbortedException abort() {
    return abort;
  }
}
