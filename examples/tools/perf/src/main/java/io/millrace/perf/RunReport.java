package io.millrace.perf;

import java.io.PrintStream;
import java.util.Locale;

/** Prints a run: first in the form of the guide's tool, then the other figures. */
final class RunReport {

  private final PrintStream out;

  RunReport(PrintStream out) {
    this.out = out;
  }

  void print(Figures run) {
    guidesLines(run);
    out.println();
    if (!run.startedCold()) {
      line(
          "Warm-up",
          "%s and %s, not in any other figure",
          new Count(run.warmUp().values(), "value"),
          new Count(run.warmUp().failed(), "error"));
    }
    if (run.outOfTime()) {
      line(
          "Out of time",
          "%d of %d iterations; %s at one more, the first of them for %.0f ms",
          run.taken() + run.failed(),
          run.iterations(),
          new Count(run.unfinished(), "client"),
          run.longestUnfinishedMillis());
    }
    line(
        "Taking a value",
        "50%%ile %s, 90%%ile %s, 99%%ile %s, longest %s",
        millis(run.taking().p50()),
        millis(run.taking().p90()),
        millis(run.taking().p99()),
        millis(run.taking().max()));
    line(
        run.startedCold() ? "Cold start" : "First values",
        "50%%ile %s, longest %s: the first value of each of %s",
        millis(run.first().p50()),
        millis(run.first().max()),
        new Count(run.first().count(), "client"));
    line("Distinct values", "%d%s", run.taken() - run.duplicates(), doubled(run));
    line("Errors", "%d%s", run.failed(), run.errors().isEmpty() ? "" : " " + run.errors());
    Reserved reserved = run.reserved();
    if (reserved != null) {
      print(reserved);
    }
    line(
        "Requests",
        "%d (%.3f a value); %d aborted by Spanner",
        run.requests(),
        run.requestsPerValue(),
        run.aborted());
  }

  /** Prints the run to compare with, and how the two compare. */
  void print(Figures run, Figures other) {
    line(
        "Compared with",
        "%s, %s: %.1f values/s, taking one 50%%ile %s, 99%%ile %s, %.3f requests a value",
        other.label(),
        new Count(other.clients(), "client"),
        other.valuesPerSecond(),
        millis(other.taking().p50()),
        millis(other.taking().p99()),
        other.requestsPerValue());
    if (other.valuesPerSecond() > 0) {
      line(
          "",
          "%s gave %.2f times as many",
          run.mode(),
          run.valuesPerSecond() / other.valuesPerSecond());
    }
  }

  private void print(Reserved reserved) {
    line(
        "Reservations",
        "%d of %.1f values on average; 50%%ile %s, %s %s; %d failed",
        reserved.reservations(),
        (double) reserved.values() / Math.max(1, reserved.reservations()),
        millis(reserved.time().p50()),
        reserved.hasPercentiles() ? "99%ile" : "longest",
        millis(reserved.hasPercentiles() ? reserved.time().p99() : reserved.time().max()),
        reserved.failed());
    Long longestWait = reserved.longestWait();
    if (longestWait != null) {
      line("Longest wait", "%s", new Count(longestWait, "reservation"));
    }
    line(
        "Waste",
        "%s reserved and not issued; %d given back at the end",
        new Count(reserved.waste(), "value"),
        reserved.givenBack());
  }

  /** The guide's lines, in the guide's form; its times include the application's. */
  private void guidesLines(Figures run) {
    out.printf(
        Locale.ROOT,
        "%d iterations (%d parallel threads) in %d milliseconds: %f values/s%n",
        run.taken(),
        run.clients(),
        run.millis(),
        run.valuesPerSecond());
    latency(50, run.iteration().p50());
    latency(75, run.iteration().p75());
    latency(90, run.iteration().p90());
    latency(99, run.iteration().p99());
  }

  private void latency(int percentile, long nanos) {
    out.printf(Locale.ROOT, "Latency: %d%%ile %d ms%n", percentile, nanos / 1_000_000);
  }

  private static String doubled(Figures run) {
    return run.duplicates() == 0 ? "" : "; FAILED: " + run.duplicates() + " came twice";
  }

  private void line(String name, String form, Object... figures) {
    out.printf(Locale.ROOT, "%-16s %s%n", name, String.format(Locale.ROOT, form, figures));
  }

  private static String millis(long nanos) {
    return Latencies.millis(nanos) + " ms";
  }
}
