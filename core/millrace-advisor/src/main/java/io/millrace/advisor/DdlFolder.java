package io.millrace.advisor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
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
   * Its files at any depth, in the order of their names. Links are followed; one to nothing, of a
   * file or a folder, is among the files, so that it is not passed by.
   *
   * @throws SchemaFileException if there is none, or the folder cannot be read
   */
  private List<Path> files() {
    try (Stream<Path> all = Files.walk(folder, FileVisitOption.FOLLOW_LINKS)) {
      List<Path> files =
          all.filter(DdlFolder::isOne)
              .sorted(Comparator.comparing(DdlFolder::order).thenComparing(Path::toString))
              .toList();
      if (files.isEmpty()) {
        throw new SchemaFileException(folder, "there is no .sql and no .ddl file in " + folder);
      }
      return files;
    } catch (IOException | UncheckedIOException failure) {
      throw new SchemaFileException(folder, folder + " cannot be read: " + failure.getMessage());
    }
  }

  private static boolean isOne(Path file) {
    String name = file.getFileName().toString();
    boolean named = name.matches("(?i).*\\.(sql|ddl)");
    return Files.exists(file) ? named && Files.isRegularFile(file) : named || name.indexOf('.') < 0;
  }

  /**
   * A text that is in the order of paths: folder by folder, word by word, a name before the same
   * name with more words, a version before those below it, and numbers by their value.
   */
  private static String order(Path file) {
    String words =
        file.toString()
            .replaceFirst("\\.\\w+$", "")
            .replaceAll("[/\\\\]", "\0")
            .replaceAll("(?<=\\d)[._-](?=\\d)", "\2")
            .replaceAll("[^\\p{L}\\p{N}\0\2]+", "\1");
    return NUMBER
        .matcher(words)
        .replaceAll(
            number -> "0".repeat(Math.max(0, DIGITS - number.group().length())) + number.group());
  }
}
