package io.millrace.advisor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A folder of DDL files, such as migrations with a number in their names. */
record DdlFolder(Path folder) {

  private static final Pattern NUMBER = Pattern.compile("\\d+");
  private static final int DIGITS = 20;

  /** The files that a path stands for: those of a folder, or itself. */
  static Stream<Path> filesOf(Path path) {
    return Files.isDirectory(path) ? new DdlFolder(path).files().stream() : Stream.of(path);
  }

  /**
   * Its files at any depth, in the order of their names, and of numbers in these.
   *
   * @throws SchemaFileException if there is none, or the folder cannot be read
   */
  private List<Path> files() {
    try (Stream<Path> all = Files.walk(folder)) {
      List<Path> files =
          all.filter(file -> file.toString().matches(".*\\.(sql|ddl)"))
              .filter(Files::isRegularFile)
              .sorted(Comparator.comparing(DdlFolder::padded))
              .toList();
      if (files.isEmpty()) {
        throw new SchemaFileException(folder, "there is no .sql and no .ddl file in " + folder);
      }
      return files;
    } catch (IOException | UncheckedIOException failure) {
      throw new SchemaFileException(folder, folder + " cannot be read: " + failure.getMessage());
    }
  }

  /** With all numbers of one length. */
  private static String padded(Path file) {
    return NUMBER
        .matcher(file.toString())
        .replaceAll(
            number -> "0".repeat(Math.max(0, DIGITS - number.group().length())) + number.group());
  }
}
