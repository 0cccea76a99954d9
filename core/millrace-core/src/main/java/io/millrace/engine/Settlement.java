package io.millrace.engine;

import io.millrace.SequenceBlock;
import io.millrace.SequenceException;
import java.util.function.Supplier;

/** What the drain loop is to do after an attempt to reserve has ended. */
sealed interface Settlement {

  /**
   * There are values to issue.
   *
   * @param usable the values
   * @param unusable how many other values of the block are a gap
   * @param returned how many further values the store took back
   */
  record Obtained(SequenceBlock usable, long unusable, long returned) implements Settlement {}

  /**
   * The waiting subscribers have to receive an error.
   *
   * @param error makes an error for each subscriber
   */
  record Failed(Supplier<SequenceException> error) implements Settlement {}
}
