package io.millrace.advisor.maven;

import java.io.IOException;
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

  /** Its files at any depth, in the order of their names, and of numbers in these. */
  List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(file -> file.toString().matches(".*\\.(sql|ddl)"))
          .filter(Files::isRegularFile)
          .sorted(Comparator.comparing(DdlFolder::padded))
          .toList();
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
