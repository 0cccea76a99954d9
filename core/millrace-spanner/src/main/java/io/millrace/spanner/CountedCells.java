package io.millrace.spanner;

/** Gives values in a transaction, and knows what they add to its commit. */
interface CountedCells {

  /** The cells that the values of one sequence add. */
  int cells();
}
