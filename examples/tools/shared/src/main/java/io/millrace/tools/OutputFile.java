package io.millrace.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file to write the results to. {@link #prepare} checks before the work that it is writable.
 *
 * @param option the option that names it
 * @param path its path
 */
public record OutputFile(String option, Path path) {

  /** Writes to a file. */
  @FunctionalInterface
  public interface Writer {

    /** Writes to the file, which may exist. */
    void write(Path file) throws IOException;
  }

  /**
   * Creates the directory, and checks the file without changing it.
   *
   * @throws IOException if the file cannot be written; the message names the option and the file
   */
  public void prepare() throws IOException {
    if (Files.isDirectory(path)) {
      throw new IOException(refusal("that is a directory"));
    }
    write(OutputFile::probe);
  }

  private static void probe(Path file) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    boolean isNew = Files.notExists(file);
    Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND).close();
    if (isNew) {
      Files.delete(file);
    }
  }

  /**
   * Writes the file.
   *
   * @throws IOException if that fails; the message names the option and the file
   */
  public void write(Writer writer) throws IOException {
    try {
      writer.write(path);
    } catch (IOException failed) {
      throw new IOException(refusal(failed.toString()), failed);
    }
  }

  private String refusal(String why) {
    return option + " must be a file that can be written, was " + path + " (" + why + ")";
  }
}
