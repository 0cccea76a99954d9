package io.millrace.advisor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A folder of DDL files, such as migrations with a number in their names. */
record DdlFolder(Path folder) {

  private static final String ENDINGS = "sql|ddl|sdl|psql|pgsql";

  /** What to replace in the path of a file that undoes another, to get the path of the other. */
  private static final Map<Pattern, String> UNDOING =
      Map.of(
          Pattern.compile("(?i)(?<![^/\\\\._-])down(?=[/\\\\.])"), "up",
          Pattern.compile("(?i)(?<![^/\\\\._-])undo(?=\\.\\w+$)"), "do",
          Pattern.compile("(?<![^/\\\\])U(?=\\d[\\d._]*__)"), "V",
          Pattern.compile("(?<![^/\\\\])revert(?=[/\\\\])"), "deploy",
          Pattern.compile("\\.rollback(?=\\.\\w+$)"), "");

  private static final Pattern NUMBER = Pattern.compile("\\d+");
  private static final int DIGITS = 20;

  /** The files that a path stands for: those of a folder, or itself. */
  static Stream<Path> filesOf(Path path) {
    return Files.isDirectory(path) ? new DdlFolder(path).files().stream() : Stream.of(path);
  }

  /**
   * Its files at any depth, in the order of their names. One that undoes another, such as {@code
   * 1.down.sql} beside {@code 1.up.sql}, is none of them. Links are followed; one to nothing, of a
   * file or a folder, is among the files, so that it is not passed by.
   *
   * @throws SchemaFileException if there is none, or the folder cannot be read
   */
  private List<Path> files() {
    try (Stream<Path> all = Files.walk(folder, FileVisitOption.FOLLOW_LINKS)) {
      List<Path> files =
          all.filter(file -> isOne(file) && !undoesAnother(file))
              .sorted(Comparator.comparing(DdlFolder::order).thenComparing(Path::toString))
              .toList();
      if (files.isEmpty()) {
        String endings = "." + ENDINGS.replace("|", ", .");
        throw new SchemaFileException(
            folder, "there is no file of SQL (" + endings + ") in " + folder);
      }
      return files;
    } catch (IOException | UncheckedIOException failure) {
      throw new SchemaFileException(folder, folder + " cannot be read: " + failure.getMessage());
    }
  }

  private static boolean isOne(Path file) {
    String name = file.getFileName().toString();
    boolean named = name.matches("(?i).*\\.(" + ENDINGS + ")");
    return Files.exists(file) ? named && Files.isRegularFile(file) : named || name.indexOf('.') < 0;
  }

  private static boolean undoesAnother(Path file) {
    String path = file.toString();
    return UNDOING.entrySet().stream()
        .map(each -> each.getKey().matcher(path).replaceAll(each.getValue()))
        .anyMatch(other -> !other.equals(path) && Files.exists(Path.of(other)));
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
