package io.millrace.r2dbc;

/** Finds the meaning of a failure. */
@FunctionalInterface
interface FailureRule {

  /** The kind of one failure, without its causes; {@link FailureKind#OTHER} if it is not known. */
  FailureKind kind(Throwable failure);

  /** The kind of a failure; if it has none, the kind of the first cause that has one. */
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
