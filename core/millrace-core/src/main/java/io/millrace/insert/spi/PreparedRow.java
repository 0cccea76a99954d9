package io.millrace.insert.spi;

import java.util.List;

/** A row in the form in which it is sent, and its size in a commit. */
public interface PreparedRow<T> {

  /** {@return the row that was passed to {@link GroupTransactions#prepare}} */
  T row();

  /** {@return the numbers that the row received from a {@link Numbering}; empty by default} */
  default List<Long> numbers() {
    return List.of();
  }

  /** {@return how many cells the row writes, for the pipeline's {@code maxCells}; 0 or more} */
  long cells();

  /**
   * {@return about how many bytes the row writes, for the pipeline's {@code maxBytes}; 0 or more}
   */
  long bytes();
}
