package io.millrace.torture;

import io.millrace.databases.DatabaseKind;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The settings of a process.
 *
 * @param directory where its tapes are
 * @param process its number, from 0
 * @param life how often it was started before
 * @param port of the database, or of a proxy
 * @param names those of the {@link Database}
 * @param modes in which it takes values
 * @param places about how many generators by name it keeps for a store
 */
record ChildSettings(
    Path directory,
    int process,
    int life,
    DatabaseKind kind,
    int port,
    String names,
    List<Mode> modes,
    int places) {

  static ChildSettings parse(String... arguments) {
    return new ChildSettings(
        Path.of(arguments[0]),
        Integer.parseInt(arguments[1]),
        Integer.parseInt(arguments[2]),
        DatabaseKind.valueOf(arguments[3]),
        Integer.parseInt(arguments[4]),
        arguments[5],
        Arrays.stream(arguments[6].split(",", -1)).map(Mode::valueOf).toList(),
        Integer.parseInt(arguments[7]));
  }

  List<String> arguments() {
    return List.of(
        directory.toString(),
        "" + process,
        "" + life,
        kind.name(),
        "" + port,
        names,
        modes.stream().map(Mode::name).collect(Collectors.joining(",")),
        "" + places);
  }

  Path tape(Mode mode) {
    return directory.resolve(mode.sequence() + "-" + process + "-" + life + ".tape");
  }
}
