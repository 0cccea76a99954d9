package io.millrace.torture;

import io.millrace.torture.Tape.Count;
import io.millrace.torture.Tape.Received;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Checks the tapes, counters and rows that a run left. */
final class Checker {

  static final String UNIQUE = "no value is received twice";
  static final String RISING = "the values of a subscription rise";
  static final String IN_ORDER = "a value requested after another was received is greater";
  static final String GAPS = "only faults lose values that were not reported as gaps";
  static final String COUNTER = "counters are above all values that were received";
  static final String GAPLESS = "committed rows have the numbers 1 to N";
  static final String ACKNOWLEDGED = "a number that was received is in its row";

  /** The most violations of a promise that are named. */
  private static final int NAMED = 10;

  /**
   * What was found in one mode.
   *
   * @param received values that subscribers received
   * @param ordered values within subscriptions, or pairs of requests, whose order was checked
   * @param gaps values that were reserved, and that no subscriber received
   * @param reported how many of these the generators reported as gaps
   * @param explained the most that faults may have lost in addition
   */
  record Result(Mode mode, long received, long ordered, long gaps, long reported, long explained) {}

  private final Path directory;
  private final long kills;
  private final List<Result> results = new ArrayList<>();
  private final List<String> violations = new ArrayList<>();

  /**
   * @param directory with the tapes
   * @param kills how many processes were killed
   */
  Checker(Path directory, long kills) {
    this.directory = directory;
    this.kills = kills;
  }

  List<Result> results() {
    return results;
  }

  List<String> violations() {
    return violations;
  }

  /**
   * Checks a mode without rows.
   *
   * @param reserved how many values the counter has passed
   */
  void checkValues(Mode mode, long reserved) {
    List<Received> all = new ArrayList<>();
    for (Path tape : tapes(mode)) {
      List<Received> values = Tape.read(tape);
      checkRising(mode, values);
      all.addAll(values);
    }
    long distinct = checkUnique(mode, all);
    long ordered = mode.isOrdered() ? checkOrder(mode, all) : all.size();
    long reported = sum(mode, Count.GAPS);
    long explained = kills * mode.lossOfKill() + sum(mode, Count.FAILURES) * mode.lossOfFailure();
    long gaps = reserved - distinct;
    checkGaps(mode, all, reserved, gaps - reported, explained);
    results.add(new Result(mode, all.size(), ordered, gaps, reported, explained));
  }

  /**
   * Checks a mode that inserts rows.
   *
   * @param rows the number by the request that made the row
   * @param reserved how many numbers the counter has passed
   */
  void checkRows(Mode mode, Map<Long, Long> rows, long reserved) {
    List<Received> all = tapes(mode).stream().flatMap(tape -> Tape.read(tape).stream()).toList();
    checkUnique(mode, all);
    List<Long> numbers = rows.values().stream().sorted().toList();
    for (int i = 0; i < numbers.size(); i++) {
      if (numbers.get(i) != i + 1) {
        add(mode, GAPLESS, "row " + (i + 1) + " has number " + numbers.get(i));
        break;
      }
    }
    if (reserved != rows.size()) {
      add(mode, GAPLESS, rows.size() + " rows, and the counter passed " + reserved);
    }
    for (long source : rows.keySet()) {
      if (source < 0) {
        add(mode, GAPLESS, "the row " + source + " should be refused");
      }
    }
    for (Received each : all) {
      Long stored = rows.get(each.request());
      if (stored == null || stored != each.value()) {
        add(mode, ACKNOWLEDGED, each + "; its row has " + stored);
      }
    }
    results.add(new Result(mode, all.size(), checkOrder(mode, all), 0, 0, 0));
  }

  private List<Path> tapes(Mode mode) {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(mode.sequence() + "-"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  long sum(Mode mode, Count count) {
    return tapes(mode).stream().mapToLong(tape -> Tape.read(tape, count)).sum();
  }

  private void checkRising(Mode mode, List<Received> tape) {
    Map<Long, Received> latest = new HashMap<>();
    for (Received next : tape) {
      Received before = latest.put(next.request(), next);
      if (before != null && before.value() >= next.value()) {
        add(mode, RISING, before + ", then " + next.value());
      }
    }
  }

  /** Returns the number of different values. */
  private long checkUnique(Mode mode, List<Received> all) {
    Map<Long, Received> byValue = new HashMap<>(all.size() * 2);
    for (Received next : all) {
      Received before = byValue.putIfAbsent(next.value(), next);
      if (before != null) {
        add(mode, UNIQUE, before + " and " + next);
      }
    }
    return byValue.size();
  }

  /**
   * Compares each value with the largest of those that were received before its request was made,
   * which covers all pairs.
   *
   * @return the number of pairs of requests that did not overlap
   */
  private long checkOrder(Mode mode, List<Received> all) {
    List<Received> byEnd = sorted(all, Comparator.comparingLong(Received::end));
    long pairs = 0;
    int ended = 0;
    Received largest = null;
    for (Received next : sorted(all, Comparator.comparingLong(Received::start))) {
      while (ended < byEnd.size() && byEnd.get(ended).end() < next.start()) {
        Received done = byEnd.get(ended++);
        largest = largest == null || done.value() > largest.value() ? done : largest;
      }
      pairs += ended;
      if (largest != null && largest.value() >= next.value()) {
        add(mode, IN_ORDER, largest + ", then " + next);
      }
    }
    return pairs;
  }

  private static List<Received> sorted(List<Received> all, Comparator<Received> order) {
    return all.stream().sorted(order).toList();
  }

  private void checkGaps(
      Mode mode, List<Received> all, long reserved, long unreported, long explained) {
    long largest = all.stream().mapToLong(Received::value).max().orElse(0);
    if (largest > reserved) {
      add(mode, COUNTER, "it passed " + reserved + ", and " + largest + " was received");
    }
    if (unreported > explained) {
      add(mode, GAPS, unreported + " lost, at most " + explained + " after " + kills + " kills");
    }
  }

  private void add(Mode mode, String promise, String what) {
    String violation = promise + ": " + mode + ": ";
    if (violations.stream().filter(each -> each.startsWith(violation)).count() < NAMED) {
      violations.add(violation + what);
    }
  }
}
