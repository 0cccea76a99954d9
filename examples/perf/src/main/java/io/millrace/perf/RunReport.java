package io.millrace.perf;

import java.io.PrintStream;
import java.util.Locale;

/** Prints a run: first in the form of the guide's tool, then what that does not tell. */
final class RunReport {

  private final PrintStream out;

  RunReport(PrintStream out) {
    this.out = out;
  }

  void print(Figures run) {
    guidesLines(run);
    out.println();
    if (run.outOfTime()) {
      line(
          "Out of time",
          "%d of %d iterations; %d clients at one more, the first of them for %.0f ms",
          run.taken() + run.failed(),
          run.iterations(),
          run.unfinished(),
          run.longestUnfinishedMillis());
    }
    line(
        "Taking a value",
        "50%%ile %s, 90%%ile %s, 99%%ile %s, longest %s",
        millis(run.taking().p50()),
        millis(run.taking().p90()),
        millis(run.taking().p99()),
        millis(run.taking().max()));
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

  private void print(Reserved reserved) {
    line(
        "Reservations",
        "%d of %.1f values on average; 50%%ile %s, 99%%ile %s",
        reserved.reservations(),
        (double) reserved.values() / Math.max(1, reserved.reservations()),
        millis(reserved.time().p50()),
        millis(reserved.time().p99()));
    line("Longest wait", "%d reservations", reserved.longestWait());
    line(
        "Waste",
        "%d values reserved and not issued; %d of them given back at the end",
        reserved.waste(),
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

  private void latency(int percentile, long micros) {
    out.printf(Locale.ROOT, "Latency: %d%%ile %d ms%n", percentile, micros / 1_000);
  }

  private static String doubled(Figures run) {
    return run.duplicates() == 0 ? "" : "; FAILED: " + run.duplicates() + " came twice";
  }

  private void line(String name, String form, Object... figures) {
    out.printf(Locale.ROOT, "%-16s %s%n", name, String.format(Locale.ROOT, form, figures));
  }

  /** Milliseconds with three digits behind the point. */
  static String millis(long micros) {
    return String.format(Locale.ROOT, "%.3f ms", micros / 1e3);
  }
}
