package io.millrace.torture;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * The settings of a process.
 *
 * @param directory where its tapes are
 * @param process its number, from 0
 * @param life how often it was started before
 * @param address of the database
 * @param modes the modes in which it takes values
 * @param sizes of its blocks and requests
 * @param rate values a second that it takes in each mode, at most
 * @param limit when it ends itself
 * @param seed of its random choices
 * @param sabotaged whether its store issues a value of another process
 * @param places about how many generators it keeps for the names of a store; 0 for one each
 */
record ChildSettings(
    Path directory,
    int process,
    int life,
    String address,
    List<Mode> modes,
    Sizes sizes,
    int rate,
    Duration limit,
    long seed,
    boolean sabotaged,
    int places) {

  static ChildSettings parse(String... arguments) {
    return new ChildSettings(
        Path.of(arguments[0]),
        Integer.parseInt(arguments[1]),
        Integer.parseInt(arguments[2]),
        arguments[3],
        Arrays.stream(arguments[4].split(",", -1)).map(Mode::valueOf).toList(),
        new Sizes(Integer.parseInt(arguments[5])),
        Integer.parseInt(arguments[6]),
        Duration.parse(arguments[7]),
        Long.parseLong(arguments[8]),
        Boolean.parseBoolean(arguments[9]),
        Integer.parseInt(arguments[10]));
  }

  List<String> arguments() {
    return List.of(
        directory.toString(),
        String.valueOf(process),
        String.valueOf(life),
        address,
        String.join(",", modes.stream().map(Mode::name).toList()),
        String.valueOf(sizes.scale()),
        String.valueOf(rate),
        limit.toString(),
        String.valueOf(seed),
        String.valueOf(sabotaged),
        String.valueOf(places));
  }
}
