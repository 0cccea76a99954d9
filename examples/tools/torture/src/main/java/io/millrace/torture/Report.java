package io.millrace.torture;

import io.millrace.tools.TextTable;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a run did and proved.
 *
 * @param violations broken promises
 * @param late what did not happen in its time. It breaks a promise only if enough happened
 *     otherwise: on a slow machine everything is late
 * @param missing what did not happen often enough to prove anything
 */
record Report(
    Map<Fault, Long> faults,
    List<Checker.Result> results,
    List<String> violations,
    List<String> late,
    List<String> missing) {

  /** Below that, a run is too short for all faults of a process. */
  private static final long LONG_SECONDS = 60;

  private static final long SECONDS_PER_KILL = 10;
  private static final long VALUES_PER_SECOND = 20;
  private static final long ROWS_PER_SECOND = 1;

  static Report of(Duration time, Run run, Checker checker) {
    return new Report(
        run.faults(),
        checker.results(),
        checker.violations(),
        run.late(),
        missing(time.toSeconds(), run.faults(), checker.results()));
  }

  static List<String> missing(long seconds, Map<Fault, Long> faults, List<Checker.Result> results) {
    List<String> missing = new ArrayList<>();
    require(missing, "kills", faults.getOrDefault(Fault.KILL, 0L), seconds / SECONDS_PER_KILL);
    if (seconds >= LONG_SECONDS) {
      require(missing, "pauses", faults.getOrDefault(Fault.PAUSE, 0L), 1);
    }
    for (Checker.Result result : results) {
      long values = result.mode().isOrdered() ? ROWS_PER_SECOND : VALUES_PER_SECOND;
      require(missing, result.mode() + " values", result.received(), seconds * values);
    }
    return missing;
  }

  private static void require(List<String> missing, String what, long was, long least) {
    if (was < least) {
      missing.add(what + ": at least " + least + ", was " + was);
    }
  }

  private List<String> broken() {
    List<String> broken = new ArrayList<>(violations);
    if (missing.isEmpty()) {
      broken.addAll(late);
    }
    return broken;
  }

  int exitCode() {
    return !broken().isEmpty() ? Torture.BROKEN : missing.isEmpty() ? 0 : Torture.NOT_PROVED;
  }

  void print(PrintStream out) {
    List<List<String>> happened = new ArrayList<>();
    faults.forEach((fault, count) -> happened.add(List.of(fault.text(), number(count))));
    List<List<String>> found =
        results.stream()
            .map(
                each ->
                    List.of(
                        each.mode().sequence(),
                        number(each.received()),
                        number(each.ordered()),
                        number(each.gaps()),
                        number(each.reported()),
                        number(each.explained())))
            .toList();
    List<String> head = List.of("mode", "values", "in order", "gaps", "reported", "others at most");
    out.printf("%s%n%n", new TextTable(List.of("fault", "times"), 1, happened).text());
    out.printf("%s%n%n", new TextTable(head, 1, found).text());
    print(out, "BROKEN:", broken());
    if (!missing.isEmpty()) {
      print(out, "NOT PROVED, because too little happened:", missing);
      late.forEach(each -> out.println("  " + each));
    } else if (broken().isEmpty()) {
      out.println("No promise was broken.");
    }
  }

  private static void print(PrintStream out, String head, List<String> lines) {
    if (!lines.isEmpty()) {
      out.println(head);
      lines.forEach(line -> out.println("  " + line));
    }
  }

  private static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
