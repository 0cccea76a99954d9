package shop;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What this program was given. */
final class ClassPath {

  /** The libraries of this program, on its class path or its module path. */
  static final List<String> JARS =
      Stream.of("java.class.path", "jdk.module.path")
          .map(name -> System.getProperty(name, ""))
          .flatMap(path -> Stream.of(path.split(File.pathSeparator)))
          .map(entry -> Path.of(entry).getFileName())
          .filter(name -> name != null && name.toString().endsWith(".jar"))
          .map(Path::toString)
          .sorted()
          .toList();

  private ClassPath() {}

  static void print(String program) {
    System.out.println(program + ": " + String.join(" ", JARS));
  }

  /** Fails unless a library is there whose file begins so. */
  static void has(String... beginnings) {
    for (String beginning : beginnings) {
      check(JARS.stream().anyMatch(jar -> jar.startsWith(beginning)), "no " + beginning);
    }
  }

  /** Fails if a library is there whose file begins so. */
  static void lacks(String... beginnings) {
    for (String beginning : beginnings) {
      check(JARS.stream().noneMatch(jar -> jar.startsWith(beginning)), "there is " + beginning);
    }
  }

  /** Fails unless the libraries are these, by the beginnings of their files. */
  static void isOnly(String... beginnings) {
    has(beginnings);
    check(JARS.size() == beginnings.length, "more than " + String.join(", ", beginnings));
  }

  /** Fails unless two things are equal. */
  static void same(Object actual, Object expected) {
    check(actual.equals(expected), actual + " instead of " + expected);
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise + ", of " + JARS);
    }
  }
}
