package io.millrace.torture;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Whose tape a file is.
 *
 * @param process the number of the process, from 0
 * @param life how often the process was started before
 */
record TapeName(Mode mode, int process, int life, int lane) {

  static TapeName of(Path file) {
    List<String> parts = List.of(file.getFileName().toString().split("[-.]", -1));
    return new TapeName(
        Mode.valueOf(parts.get(0).toUpperCase(Locale.ROOT)),
        Integer.parseInt(parts.get(1)),
        Integer.parseInt(parts.get(2)),
        Integer.parseInt(parts.get(3)));
  }

  Path in(Path directory) {
    return directory.resolve(mode.sequence() + "-" + process + "-" + life + "-" + lane + ".tape");
  }

  /**
   * Names the row that a request of a lane inserts if its {@linkplain Mode#insertsRows mode} does.
   *
   * @param request its place on the tape
   */
  long row(int request) {
    return ((long) process << 52) | ((long) life << 36) | ((long) lane << 32) | request;
  }

  @Override
  public String toString() {
    return "process " + process + ", life " + life + ", lane " + lane;
  }
}
