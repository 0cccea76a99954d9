package io.millrace.perf;

import io.millrace.tools.Durations;
import io.millrace.tools.Refusals;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options for the place of the runs. */
final class PlaceOptions {

  private static final Duration ROUND_TRIP = Duration.ofMillis(5);

  @Option(
      names = "--rtt",
      paramLabel = "TIME",
      converter = Durations.class,
      description =
          "Time that a proxy adds to each round trip to the emulator, 0ms (no proxy) to 10s (default:"
              + " 5ms).")
  private @Nullable Duration roundTrip;

  @Option(
      names = "--project",
      paramLabel = "ID",
      description = "The project of the instance (default: that of the environment).")
  private @Nullable String project;

  @Option(
      names = "--create",
      description =
          "Creates the table \"sequences\" in DATABASE if it does not exist and, for mode NATIVE, a"
              + " sequence, which is dropped after the run.")
  private boolean create;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the options
  PlaceOptions() {}

  /**
   * Opens the place.
   *
   * @param ids INSTANCE and DATABASE, or nothing
   * @param changesSchema whether a run creates a sequence
   * @throws picocli.CommandLine.ParameterException if the options do not fit the place
   * @throws NoSpannerException if there is no emulator
   */
  Place open(Places places, List<String> ids, boolean changesSchema) {
    return ids.isEmpty()
        ? emulator(places)
        : instance(places, ids.get(0), ids.get(1), changesSchema);
  }

  private Place emulator(Places places) {
    Refusals refusals = new Refusals(spec);
    if (project != null || create) {
      throw refusals.refusal(
          "--project and --create are for an instance: name INSTANCE and DATABASE");
    }
    Duration added = roundTrip == null ? ROUND_TRIP : roundTrip;
    refusals.require("--rtt", added, Duration.ZERO, Duration.ofSeconds(10));
    return places.emulator(added).orElseThrow(NoSpannerException::new);
  }

  private Place instance(Places places, String instance, String database, boolean changesSchema) {
    Refusals refusals = new Refusals(spec);
    if (roundTrip != null) {
      throw refusals.refusal("--rtt is for the emulator, not for an instance");
    }
    if (places.emulatorInstead() != null) {
      throw refusals.refusal(
          "instance "
              + instance
              + " would be looked up on the emulator, because SPANNER_EMULATOR_HOST="
              + places.emulatorInstead()
              + " is set: unset it, or leave INSTANCE and DATABASE out");
    }
    if (changesSchema && !create) {
      throw refusals.refusal(
          "mode NATIVE creates a sequence in "
              + database
              + " and drops it after the run: set --create to allow this");
    }
    return places.instance(project, instance, database, create);
  }
}
