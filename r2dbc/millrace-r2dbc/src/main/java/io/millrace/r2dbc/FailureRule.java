package io.millrace.r2dbc;

import java.util.Objects;
import java.util.stream.Stream;

/** Finds the meaning of a failure. */
@FunctionalInterface
interface FailureRule {

  /** The kind of one failure, without its causes; {@link FailureKind#OTHER} if it is not known. */
  FailureKind kind(Throwable failure);

  /** The kind of a failure; if it has none, the kind of the first cause that has one. */
  default FailureKind kindWithCauses(Throwable failure) {
    return causes(failure)
        .map(this::kind)
        .filter(kind -> kind != FailureKind.OTHER)
        .findFirst()
        .orElse(FailureKind.OTHER);
  }

  /** A failure and its causes, 20 at most: a chain of causes may be a circle. */
  static Stream<Throwable> causes(Throwable failure) {
    return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).limit(20);
  }
}
