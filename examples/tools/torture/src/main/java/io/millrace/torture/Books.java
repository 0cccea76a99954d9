package io.millrace.torture;

import io.millrace.torture.Meters.Count;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks the generators of a process that ended by itself, in a mode without failed reservations:
 * all values that they reserved were received, released, or reported as a gap.
 *
 * @param checked the number of such lives and modes
 */
record Books(long checked, List<Violation> violations) {

  private static final String BOOKS =
      "reserved values are received, given back or reported as gaps";

  static Books of(Path directory, List<Mode> modes, List<Worker> workers) {
    List<Violation> violations = new ArrayList<>();
    long checked = 0;
    for (Worker worker : workers) {
      for (int life : worker.livesThatLeft()) {
        Meters meters = Meters.read(directory, worker.number(), life);
        for (Mode mode : modes) {
          if (!mode.insertsRows() && meters.get(mode, Count.FAILURES) == 0) {
            checked++;
            long received = received(directory, mode, worker.number(), life);
            if (!balances(meters, mode, received)) {
              violations.add(
                  new Violation(
                      BOOKS,
                      String.format(
                          "%s, process %d, life %d: %d reserved; %d received, %d given back, %d"
                              + " gaps",
                          mode,
                          worker.number(),
                          life,
                          meters.get(mode, Count.RESERVED),
                          received,
                          meters.get(mode, Count.RELEASED),
                          meters.get(mode, Count.DISCARDED))));
            }
          }
        }
      }
    }
    return new Books(checked, violations);
  }

  static boolean balances(Meters meters, Mode mode, long received) {
    return meters.get(mode, Count.RESERVED)
        == received + meters.get(mode, Count.RELEASED) + meters.get(mode, Count.DISCARDED);
  }

  private static long received(Path directory, Mode mode, int process, int life) {
    long received = 0;
    for (int lane = 0; lane < Mode.LANES; lane++) {
      Path tape = new TapeName(mode, process, life, lane).in(directory);
      if (mode.isTimed()) {
        Requests requests = new Requests();
        requests.read(tape);
        received += requests.values().size();
      } else {
        received += Values.read(tape).values().size();
      }
    }
    return received;
  }
}
