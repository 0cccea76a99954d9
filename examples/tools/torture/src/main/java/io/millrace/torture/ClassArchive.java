package io.millrace.torture;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The loaded classes of a process in a file, from which the JVMs of later processes take them. They
 * then start in half of the time. A JVM can write such a file only if its class path has no
 * directories.
 */
final class ClassArchive {

  private final Path file;

  ClassArchive(Path directory) {
    this.file = directory.resolve("classes.jsa");
  }

  static boolean isPossible() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .allMatch(entry -> Files.isRegularFile(Path.of(entry)));
  }

  /** The option of a JVM that writes the file when it ends. */
  List<String> writing() {
    return List.of("-XX:ArchiveClassesAtExit=" + file);
  }

  /** The option of a JVM that uses the file; none if there is no file. */
  List<String> reading() {
    return Files.exists(file) ? List.of("-XX:SharedArchiveFile=" + file) : List.of();
  }
}
