package io.millrace;

import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;

/** Striped stores that choose by given numbers and a given clock. */
public final class SeededStripes {

  private SeededStripes() {}

  /** A store with a stride of 1,024 over another; the clock is in nanoseconds. */
  public static SequenceStore over(
      SequenceStore store,
      int stripes,
      StripeChoice choice,
      IntUnaryOperator numbers,
      LongSupplier clock) {
    return StripedSequenceStore.builder(store)
        .stripes(stripes)
        .choice(choice)
        .random(numbers)
        .clock(clock)
        .build();
  }
}
