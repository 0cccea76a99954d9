package io.millrace;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the drain loop is to do after an attempt to reserve has ended.
 *
 * @param usable the values to issue, or null if there are none
 * @param unusable how many values of the block are a gap
 * @param returned how many more of them the store took back
 * @param failure makes the error for each subscriber that waits, or null if they wait on
 */
record Settlement(
    @Nullable SequenceBlock usable,
    long unusable,
    long returned,
    @Nullable Supplier<SequenceException> failure) {

  static Settlement of(SequenceBlock usable, long unusable, long returned) {
    return new Settlement(usable, unusable, returned, null);
  }

  static Settlement failed(Supplier<SequenceException> failure) {
    return new Settlement(null, 0, 0, failure);
  }
}
