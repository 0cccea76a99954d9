package io.millrace.simulate;

import io.millrace.simulate.Planner.Goal;
import io.millrace.simulate.Planner.Plan;
import io.millrace.simulate.Sweep.Point;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Prints what was simulated and what it showed. */
final class Report {

  private final PrintStream out;

  /** Instances that die in an hour. */
  private final double deaths;

  Report(PrintStream out, double deaths) {
    this.out = out;
    this.deaths = deaths;
  }

  void model(Scenario scenario) {
    line(
        "%,d instances, %s values/s in all (%s), %s",
        scenario.instances(), number(scenario.rate()), scenario.pattern(), rows(scenario));
    line(
        "a reservation: round trip %s, lock held %s, next at a row: %s",
        scenario.roundTrip(), scenario.service(), scenario.lockOrder());
    line(
        "batch %,d, watermark %,d, largest reservation %,d; %s start, %s simulated, seed %d",
        scenario.batch(),
        scenario.watermark(),
        scenario.maxBatch(),
        scenario.start(),
        Durations.text(scenario.duration()),
        scenario.seed());
    line("");
  }

  private static String rows(Scenario scenario) {
    return scenario.rows() == 1
        ? "1 row"
        : String.format(
            Locale.ROOT,
            "%,d stripes (%s)",
            scenario.rows(),
            scenario.choice() == Scenario.RowChoice.two ? "the better of two" : "in turn");
  }

  void outcome(Scenario scenario, Outcome outcome) {
    switch (outcome.end()) {
      case COMPLETE -> {}
      case OVERLOADED ->
          line(
              "OVERLOADED: after %.3f s so many values waited that the run was ended",
              outcome.seconds());
      case HOPELESS -> line("ended after %.3f s: too many values waited", outcome.seconds());
    }
    line(
        "  throughput          %s values/s of %s asked for",
        number(outcome.throughput()), number(outcome.asked() / outcome.seconds()));
    line("  values that waited  %s", percent(outcome.stallProbability()));
    line("  added latency       %s", times(outcome.addedLatency()));
    if (outcome.waits().max() > 0) {
      line(
          "    of those waiting  %s; at most %,d in line at an instance",
          times(outcome.waits()), outcome.longestLine());
    }
    line(
        "  reservations        %s/s, %s",
        number(outcome.reservationRate()), times(outcome.reservationTime()));
    line("  rows busy           %s of the time", percent(outcome.utilisation()));
    line(
        "  buffered at the end %,d values; one instance's death loses %s on average",
        outcome.bufferedAtEnd(), number(outcome.atRisk()));
    double lost = deaths * outcome.atRisk();
    line(
        "  lost by deaths      %s values/h at %s deaths/h, %s of the values",
        number(lost), number(deaths), percent(lost / (scenario.rate() * 3600)));
    line("");
  }

  void plan(@Nullable Plan plan, Goal goal, Scenario scenario, int mostRows) {
    line(
        "Goal: at most %s of the values wait, rows busy at most %s of the time",
        percent(goal.stallProbability()), percent(goal.utilisation()));
    if (plan == null) {
      line(
          "not reached with batches up to %,d and up to %,d stripes; see --max-batch,"
              + " --max-stripes, --goal-stall and --goal-busy",
          scenario.maxBatch(), mostRows);
      return;
    }
    Scenario settings = plan.settings();
    line(
        "Recommendation: batch >= %d, watermark >= %d, stripes >= %d",
        settings.batch(), settings.watermark(), settings.rows());
    line(
        "found in %d runs; the last, with these settings and seed %d:",
        plan.runs(), settings.seed());
    outcome(settings, plan.check());
  }

  void sweep(Sweep sweep, List<Point> points) {
    line(
        "%12s  %14s  %12s  %10s  %10s", sweep.setting(), "values/s", "p99 added", "waited", "busy");
    for (Point point : points) {
      Outcome outcome = point.outcome();
      line(
          "%,12d  %14s  %12s  %10s  %10s%s",
          point.value(),
          number(outcome.throughput()),
          millis(outcome.addedLatency().p99()),
          percent(outcome.stallProbability()),
          percent(outcome.utilisation()),
          outcome.end() == Outcome.End.COMPLETE ? "" : "  overloaded");
    }
    line("");
  }

  private static String times(Times times) {
    return String.format(
        Locale.ROOT,
        "p50 %s, p99 %s, p99.9 %s, longest %s",
        millis(times.p50()),
        millis(times.p99()),
        millis(times.p999()),
        millis(times.max()));
  }

  private static String millis(double millis) {
    String form = millis == 0 ? "%.0f ms" : millis >= 100 ? "%,.0f ms" : "%.2f ms";
    return String.format(Locale.ROOT, form, millis);
  }

  private static String number(double number) {
    String form = number == Math.rint(number) || number >= 1000 ? "%,.0f" : "%.2f";
    return String.format(Locale.ROOT, form, number);
  }

  private static String percent(double part) {
    double percent = 100 * part;
    if (percent > 0 && percent < 0.0001) {
      return "below 0.0001 %";
    }
    String form = percent == Math.rint(percent) ? "%.0f %%" : percent >= 1 ? "%.1f %%" : "%.4f %%";
    return String.format(Locale.ROOT, form, percent);
  }

  private void line(String form, Object... values) {
    out.println(String.format(Locale.ROOT, form, values));
  }
}
