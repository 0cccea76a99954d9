package io.millrace.perf;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A place where nothing is run: what a workload gives is planned. It plays the emulator. */
final class PlannedPlace implements Place, Places {

  private final Function<Workload, Figures> plan;
  final List<Workload> asked = new ArrayList<>();
  boolean closed;

  PlannedPlace(Function<Workload, Figures> plan) {
    this.plan = plan;
  }

  @Override
  public Figures run(Workload workload) {
    asked.add(workload);
    return plan.apply(workload);
  }

  @Override
  public String description() {
    return "nowhere";
  }

  @Override
  public RoundTrips roundTrips() {
    return Samples.ROUND_TRIPS;
  }

  @Override
  public RunDatabase open(Mode mode) {
    throw new AssertionError("nothing is to be opened");
  }

  @Override
  public RequestCounter requests() {
    throw new AssertionError("nothing is to be counted");
  }

  @Override
  public void close() {
    closed = true;
  }

  @Override
  public Optional<Place> emulator(Duration roundTrip) {
    return Optional.of(this);
  }

  @Override
  public Place instance(
      @Nullable String project, String instance, String database, boolean create) {
    return this;
  }

  @Override
  public @Nullable String emulatorInstead() {
    return null;
  }
}
