package io.millrace.simulate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file that is written after the work, and found to be writable before it. */
final class OutputFile {

  /** Writes to a file. */
  interface Writer {
    void write(Path file) throws IOException;
  }

  private OutputFile() {}

  static void prepare(String option, Path file) {
    write(
        option,
        file,
        target -> {
          Path parent = target.toAbsolutePath().getParent();
          if (parent != null) {
            Files.createDirectories(parent);
          }
          Files.newOutputStream(target, StandardOpenOption.CREATE, StandardOpenOption.APPEND)
              .close();
        });
  }

  static void write(String option, Path file, Writer writer) {
    try {
      writer.write(file);
    } catch (IOException failed) {
      throw new IllegalArgumentException(
          option + " must be a file that can be written, was " + file + " (" + failed + ")",
          failed);
    }
  }
}
