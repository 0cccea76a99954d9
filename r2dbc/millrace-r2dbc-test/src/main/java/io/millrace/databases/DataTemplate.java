package io.millrace.databases;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;

/** Directories that take long to make: each is made once on a machine, and kept. */
final class DataTemplate {

  /** Fills an empty directory. */
  interface Maker {
    void make(Path directory) throws IOException, InterruptedException;
  }

  private DataTemplate() {}

  /** The directory of a name; makes it if it is not there. */
  static Path get(String name, Maker maker) throws IOException, InterruptedException {
    Path parent = Path.of(System.getProperty("java.io.tmpdir"));
    Path directory = parent.resolve(name + "-" + System.getProperty("user.name"));
    if (!Files.isDirectory(directory)) {
      Path unfinished = Files.createTempDirectory(parent, name);
      try {
        maker.make(unfinished);
        moveUnlessThere(unfinished, directory);
      } finally {
        if (Files.exists(unfinished)) {
          delete(unfinished);
        }
      }
    }
    return directory;
  }

  /** Two processes may do the same work; the first one's result is kept. */
  private static void moveUnlessThere(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      if (!Files.isDirectory(to)) {
        throw e;
      }
    }
  }

  /** Copies what is in a directory into an empty one. */
  static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(file -> !file.equals(from)).toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }

  static void delete(Path directory) throws IOException {
    MoreFiles.deleteRecursively(directory, RecursiveDeleteOption.ALLOW_INSECURE);
  }
}
