package io.millrace.torture;

import java.nio.file.Path;
import java.util.List;

/**
 * The events that lost values in one mode.
 *
 * @param killed processes that were killed
 * @param disposals generators that were disposed or evicted, and could not release their buffer if
 *     another process had reserved in the meantime
 * @param failures reservations that failed or whose answer came too late
 * @param left subscribers that cancelled or failed without a value, except by a disposal
 */
record Deaths(long killed, long disposals, long failures, long left) {

  static Deaths of(Mode mode, Path directory, List<Worker> workers, long killed) {
    long left = 0;
    long disposals = 0;
    long failures = 0;
    for (Worker worker : workers) {
      for (int life = 0; life <= worker.life(); life++) {
        Meters meters = Meters.read(directory, worker.number(), life);
        disposals += meters.get(mode, Meters.Count.DISPOSALS);
        failures += meters.get(mode, Meters.Count.FAILURES);
        left += meters.get(mode, Meters.Count.CANCELS) + meters.get(mode, Meters.Count.ERRORS);
      }
    }
    return new Deaths(killed, disposals, failures, left);
  }

  /** The most values of a mode that this can have turned into gaps; 0 if nothing is promised. */
  long largestLoss(Mode mode, Sizes sizes) {
    return (killed + disposals) * sizes.largestLoss(mode).orElse(0)
        + failures * sizes.largestReservation(mode)
        + (mode == Mode.ORDERED ? left : 0);
  }
}
