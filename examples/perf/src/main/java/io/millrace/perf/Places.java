package io.millrace.perf;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The places that runs can take place at. */
interface Places {

  /**
   * Opens the emulator, made as far away as a round trip's time says.
   *
   * @return empty if there is none to be had
   */
  Optional<Place> emulator(Duration roundTrip);

  /**
   * Opens a database of an instance.
   *
   * @param project the instance's, or null for the environment's
   * @param create whether to make the table where it is missing
   */
  Place instance(@Nullable String project, String instance, String database, boolean create);

  /** The emulator to which the environment sends what is meant for an instance; null if to none. */
  @Nullable String instead();
}
