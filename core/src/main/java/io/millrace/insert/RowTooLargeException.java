package io.millrace.insert;

/** A row that exceeds, alone, what may be written in one commit. It is not sent. */
public final class RowTooLargeException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the failure.
   *
   * @param what what there is too much of, "cells" or "bytes"
   * @param size how much the row has of it
   * @param limit how much a commit may have
   * @param row the row
   */
  public RowTooLargeException(String what, long size, long limit, Object row) {
    super("a commit has at most " + limit + " " + what + ", and this row has " + size + ": " + row);
  }
}
