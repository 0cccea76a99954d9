package io.millrace.simulate;

import io.millrace.simulate.Planner.Plan;
import io.millrace.simulate.Planner.Search;
import io.millrace.simulate.Sweep.Point;
import io.millrace.tools.Durations;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;

/** Prints scenarios and their results. */
final class Report {

  private static final String SMALL = "%.3g";

  private static final double RESERVATION_TIMEOUT_MILLIS = 10_000;

  private final PrintStream out;

  /** The number of instances that die in an hour. */
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
        "block %,d, watermark %,d, largest reservation %,d; %s start, %s simulated, seed %d",
        scenario.block(),
        scenario.watermark(),
        scenario.maxBlock(),
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
    end(scenario, outcome);
    line(
        "  throughput          %s values/s of %s requested",
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
    if (outcome.waiting() > 0) {
      line("  waiting at the end  %,d of the values", outcome.waiting());
    }
    line(
        "  buffered at the end %,d values; one instance's death loses %s on average",
        outcome.bufferedAtEnd(), number(outcome.atRisk()));
    double lost = deaths * outcome.atRisk();
    line(
        "  lost by deaths      %s values/h at %s deaths/h, %s of the values",
        number(lost), number(deaths), percent(lost / (scenario.rate() * 3600)));
    line("");
  }

  private void end(Scenario scenario, Outcome outcome) {
    double most = scenario.capacity(scenario.maxBlock());
    if (outcome.isOverloaded() && scenario.rate() >= most) {
      line(
          "OVERLOADED: %s values/s are requested, and reservations of %,d provide %s at most",
          number(scenario.rate()), scenario.maxBlock(), number(most));
    } else if (outcome.isOverloaded()) {
      line("OVERLOADED: the number of waiting values grew until the end");
    }
    switch (outcome.end()) {
      case COMPLETE, HOPELESS -> {}
      case FULL ->
          line(
              "ended after %.3f s: more than %,d values waited at once, and no more are kept",
              outcome.seconds(), Simulation.MOST_WAITING);
      case LONG ->
          line(
              "ended after %.3f s: it took %,d steps; a shorter --duration or a larger --block-size"
                  + " takes fewer",
              outcome.seconds(), outcome.steps());
    }
    if (outcome.reservationTime().max() > RESERVATION_TIMEOUT_MILLIS) {
      line("NOTE: some reservations took more than 10 s, a generator's default reservationTimeout");
    }
  }

  void ordered() {
    line(
        "No recommendation: with --block-size 1 each value waits for a reservation, by definition");
    line("");
  }

  void search(Search search, Goal goal, Scenario scenario, int mostRows) {
    line(
        "Goal: at most %s of the values wait, rows busy at most %s of the time",
        exactPercent(goal.stallProbability()), exactPercent(goal.utilisation()));
    Plan plan = search.plan();
    if (plan != null) {
      plan(plan, search.runs(), goal, scenario);
    } else if (search.isComplete()) {
      line(
          "not reached with blocks up to %,d and up to %,d stripes; see --max-block-size,"
              + " --max-stripes, --goal-stall and --goal-busy",
          scenario.maxBlock(), mostRows);
      line("");
    } else {
      line(
          "cannot be searched: given up after %d runs, because runs of 100 reservations take too many"
              + " steps",
          search.runs());
      line("");
    }
  }

  private void plan(Plan plan, int runs, Goal goal, Scenario scenario) {
    Scenario settings = plan.settings();
    line(
        "Recommendation: block >= %d, watermark >= %d, stripes >= %d",
        settings.block(), settings.watermark(), settings.rows());
    line(
        "found in %d runs from a warm start; the last, with these settings and seed %d, of %s%s:",
        runs, settings.seed(), Durations.text(settings.duration()), why(settings, scenario));
    if (goal.tolerated(settings) < SearchTime.ENOUGH) {
      line(
          "  (says little: only %s values may wait in such a run)",
          number(goal.tolerated(settings)));
    }
    outcome(settings, plan.check());
  }

  /** Why a run of the search does not have the duration of the options. */
  private static String why(Scenario settings, Scenario scenario) {
    return settings.duration() < scenario.duration()
        ? " (shortened, as longer ones take minutes)"
        : settings.duration() > scenario.duration()
            ? " (lengthened, as shorter ones show too little)"
            : "";
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
          (outcome.isCutOff() ? "> " : "") + millis(outcome.addedLatency().p99()),
          percent(outcome.stallProbability()),
          percent(outcome.utilisation()),
          mark(outcome));
    }
    line("");
  }

  private static String mark(Outcome outcome) {
    return outcome.isOverloaded()
        ? "  overloaded"
        : outcome.end() == Outcome.End.COMPLETE ? "" : "  ended early";
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
    String form = millis == 0 || millis >= 100 ? "%,.0f" : millis >= 0.01 ? "%.2f" : SMALL;
    return String.format(Locale.ROOT, form + " ms", millis);
  }

  private static String number(double number) {
    String form =
        number == Math.rint(number) || number >= 1000 ? "%,.0f" : number >= 0.01 ? "%.2f" : SMALL;
    return String.format(Locale.ROOT, form, number);
  }

  /** A percentage with all its digits, as the user wrote it. */
  private static String exactPercent(double part) {
    return BigDecimal.valueOf(part).movePointRight(2).stripTrailingZeros().toPlainString() + " %";
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
