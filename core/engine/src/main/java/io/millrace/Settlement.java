package io.millrace;

import java.util.function.Supplier;

/** What the drain loop is to do after an attempt to reserve has ended. */
sealed interface Settlement {

  /**
   * There are values to issue.
   *
   * @param usable the values
   * @param unusable how many other values of the block are a gap
   * @param returned how many more of them the store took back
   */
  record Obtained(SequenceBlock usable, long unusable, long returned) implements Settlement {}

  /**
   * The subscribers that wait are to be told of a failure.
   *
   * @param error makes the error of each
   */
  record Failed(Supplier<SequenceException> error) implements Settlement {}
}
