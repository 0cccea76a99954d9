package io.millrace.torture;

import io.millrace.tools.TextTable;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** Prints the events and the findings of a run. */
record Report(
    Faults faults,
    List<ModeResult> results,
    long counterReadings,
    long books,
    List<Violation> violations,
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
    if (!violations.isEmpty()) {
      out.println("BROKEN:");
      violations.forEach(violation -> out.println("  " + violation));
    }
    if (!missing.isEmpty()) {
      out.println("NOT PROVED, because too little happened:");
      missing.forEach(each -> out.println("  " + each));
    }
    if (violations.isEmpty() && missing.isEmpty()) {
      out.println("No promise was broken.");
    }
  }

  /** What the run proved. */
  int exitCode() {
    return !violations.isEmpty() ? Torture.BROKEN : missing.isEmpty() ? 0 : Torture.NOT_PROVED;
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
