package io.millrace.advisor;

import java.nio.file.Path;

/**
 * A line of a DDL file.
 *
 * @param file the file
 * @param line the line, from 1
 * @param text the part of the statement that is on this line
 */
public record Place(Path file, int line, String text) {

  /** Returns file and line, as {@code schema.sql:12}. */
  @Override
  public String toString() {
    return file + ":" + line;
  }
}
