package io.millrace.perf;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Opens the places for runs. */
interface Places {

  /**
   * Opens the emulator, with an added round trip.
   *
   * @return empty if there is no emulator
   */
  Optional<Place> emulator(Duration roundTrip);

  /**
   * Opens a database of an instance.
   *
   * @param project the instance's project, or null for the environment's
   * @param create whether to create the table if it is missing
   */
  Place instance(@Nullable String project, String instance, String database, boolean create);

  /** The emulator that the environment names, which would replace an instance; null if none. */
  @Nullable String emulatorInstead();
}
