package io.millrace.torture;

import io.millrace.tools.TextTable;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Prints the events and the findings of a run.
 *
 * @param late what did not happen in its time. It breaks a promise only if enough happened
 *     otherwise: on a slow machine everything is late
 */
record Report(
    Faults faults,
    List<ModeResult> results,
    long counterReadings,
    long books,
    List<Violation> violations,
    List<Violation> late,
    List<String> missing) {

  void print(PrintStream out) {
    out.println(faults.table());
    out.println();
    out.println(resultTable().text());
    out.println();
    out.println(
        counterReadings
            + " readings of the counters; "
            + books
            + " times the values of a process that ended were accounted for");
    List<Violation> broken = broken();
    if (!broken.isEmpty()) {
      out.println("BROKEN:");
      broken.forEach(violation -> out.println("  " + violation));
    }
    if (!missing.isEmpty()) {
      out.println("NOT PROVED, because too little happened:");
      missing.forEach(each -> out.println("  " + each));
      late.forEach(each -> out.println("  " + each));
    }
    if (broken.isEmpty() && missing.isEmpty()) {
      out.println("No promise was broken.");
    }
  }

  private List<Violation> broken() {
    List<Violation> broken = new ArrayList<>(violations);
    if (missing.isEmpty()) {
      broken.addAll(late);
    }
    return broken;
  }

  /** What the run proved. */
  int exitCode() {
    return !broken().isEmpty() ? Torture.BROKEN : missing.isEmpty() ? 0 : Torture.NOT_PROVED;
  }

  private TextTable resultTable() {
    List<List<String>> rows =
        results.stream()
            .map(
                result ->
                    List.of(
                        result.mode().sequence(),
                        number(result.received()),
                        number(result.subscriptions()),
                        number(result.orderChecked()),
                        number(result.gaps()),
                        result.largestLoss().isPresent()
                            ? number(result.largestLoss().getAsLong())
                            : "any"))
            .toList();
    return new TextTable(
        List.of("mode", "values", "subscriptions", "in order", "gaps", "at most"), 1, rows);
  }

  private static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
