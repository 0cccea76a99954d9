package io.millrace.r2dbc;

/** Tells what a failure means. */
@FunctionalInterface
interface FailureRule {

  /**
   * The kind of one failure, without its causes; {@link FailureKind#OTHER} where it is not known.
   */
  FailureKind kind(Throwable failure);

  /** The kind of a failure, or else of the first of its causes that has one. */
  default FailureKind kindWithCauses(Throwable failure) {
    int depth = 0;
    for (Throwable at = failure; at != null && depth < 20; at = at.getCause(), depth++) {
      FailureKind kind = kind(at);
      if (kind != FailureKind.OTHER) {
        return kind;
      }
    }
    return FailureKind.OTHER;
  }
}
