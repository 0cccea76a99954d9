package io.millrace.perf;

import io.millrace.tools.Durations;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Runs one workload, all modes, or the targets, and prints the results. */
final class Measurements {

  /** The modes of {@link #all}, next to what they are compared with. */
  private static final List<Mode> ALL =
      List.of(
          Mode.BY_HAND,
          Mode.SYNC,
          Mode.COUNTER,
          Mode.ASYNC,
          Mode.BATCH,
          Mode.ASYNC_BATCH,
          Mode.ADAPTIVE,
          Mode.NATIVE,
          Mode.ONE_TXN_EACH);

  private static final List<Integer> CLIENTS = List.of(10, 50);

  private final Place place;
  private final Workload workload;
  private final PrintStream out;
  private final List<Figures> runs = new ArrayList<>();

  Measurements(Place place, Workload workload, PrintStream out) {
    this.place = place;
    this.workload = workload;
    this.out = out;
    out.println(place.description());
    out.println(place.roundTrips());
  }

  /** Runs the workload, and then what it is compared with; true if the workload's run is sound. */
  boolean one() {
    out.printf(
        Locale.ROOT,
        "%s: %s, %s, a %s of %s with each value%n%n",
        workload.label(),
        new Count(workload.iterations(), "iteration"),
        new Count(workload.clients(), "client"),
        applicationsWork(),
        Durations.text(workload.appLatency()));
    Figures run = run(workload);
    new RunReport(out).print(run);
    if (!workload.mode().isComparison()) {
      new RunReport(out).print(run, run(workload.comparison()));
    }
    return run.sound();
  }

  private String applicationsWork() {
    boolean isTransaction =
        workload.mode().isInTransaction() || workload.application() == Application.Kind.TRANSACTION;
    return isTransaction ? "transaction" : "timer";
  }

  /** Runs all modes; true if all results of this project's modes are sound. */
  boolean all() {
    for (Mode mode : ALL) {
      CLIENTS.forEach(clients -> briefly(workload.with(mode, clients)));
    }
    out.printf(Locale.ROOT, "%n%s%n%n", new Table(runs).text());
    return runs.stream().allMatch(run -> run.mode().isComparison() || run.sound());
  }

  /** Runs the workloads of the targets; true if all targets are met. */
  boolean targets() {
    List<Targets.Check> checks = new Targets(this::briefly, workload).check();
    out.println();
    checks.forEach(out::println);
    return checks.stream().allMatch(Targets.Check::met);
  }

  private Figures briefly(Workload next) {
    Figures run = run(next);
    out.printf(
        Locale.ROOT,
        "  %s, %s: %.1f values/s%n",
        run.label(),
        new Count(run.clients(), "client"),
        run.valuesPerSecond());
    return run;
  }

  private Figures run(Workload next) {
    Figures run = place.run(next);
    runs.add(run);
    return run;
  }
}
