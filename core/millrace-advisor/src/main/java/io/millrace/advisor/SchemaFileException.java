package io.millrace.advisor;

import java.nio.file.Path;
import java.util.OptionalInt;

/**
 * A DDL file cannot be read or judged. The message names the file and, where there is one, the
 * line.
 */
public final class SchemaFileException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient Path file;

  /** The line, from 1; 0 if the whole file is meant. */
  private final int line;

  SchemaFileException(Path file, String message) {
    super(Shown.line(message));
    this.file = file;
    this.line = 0;
  }

  SchemaFileException(Path file, int line, String problem) {
    super(Shown.line(file + ":" + line + ": " + problem));
    this.file = file;
    this.line = line;
  }

  /** {@return the file} */
  public Path file() {
    return file;
  }

  /** {@return the line, from 1; empty if the whole file is meant} */
  public OptionalInt line() {
    return line == 0 ? OptionalInt.empty() : OptionalInt.of(line);
  }
}
