package io.millrace.insert.spi;

/**
 * A row as it is sent, and its size in a commit.
 *
 * @param <T> the type of the rows
 */
public interface PreparedRow<T> {

  /**
   * Returns the row.
   *
   * @return what was given to {@link GroupTransactions#prepare}
   */
  T row();

  /**
   * Returns how many cells the row writes, for the pipeline's {@code maxCells}.
   *
   * @return 0 or more
   */
  long cells();

  /**
   * Returns how many bytes the row writes, about, for the pipeline's {@code maxBytes}.
   *
   * @return 0 or more
   */
  long bytes();
}
