package io.millrace.torture;

import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Reads the tapes of a run, and checks them. */
final class Findings {

  private static final int NAMED = 10;

  static final String UNIQUE = "no value is received twice";
  static final String RISING = "the values of a subscription rise";
  static final String REAL_TIME = "a value requested after another was received is greater";
  static final String GAPS = "gaps stay within what is documented";
  static final String COUNTER = "counters are above all values that were received";
  static final String WITHOUT_GAPS = "committed rows have the numbers 1 to N";
  static final String ACKNOWLEDGED = "a number that was received is in its row";

  private final List<ModeResult> results = new ArrayList<>();
  private final List<Violation> violations = new ArrayList<>();
  private final Path directory;
  private final Sizes sizes;

  Findings(Path directory, Sizes sizes) {
    this.directory = directory;
    this.sizes = sizes;
  }

  /** The tapes of a mode. */
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

  /**
   * Checks a mode in which subscriptions receive values.
   *
   * @param reserved how many values the counter has passed
   */
  void checkValues(Mode mode, long reserved, Deaths deaths) {
    LongArrayList all = new LongArrayList();
    long subscriptions = 0;
    for (Path tape : tapes(mode)) {
      Values values = Values.read(tape);
      all.addAll(values.values());
      subscriptions += values.subscriptions();
      if (mode.risesInSubscription()) {
        values.falls().forEach(fall -> add(RISING, mode, fall));
      }
    }
    Unique unique = Unique.of(all);
    checkUnique(mode, unique);
    long gaps = checkCounter(mode, unique, reserved, deaths);
    results.add(
        new ModeResult(
            mode,
            all.size(),
            subscriptions,
            gaps,
            loss(mode, deaths),
            mode.risesInSubscription() ? all.size() : 0));
  }

  /**
   * Checks a mode in which each request is timed.
   *
   * @return the requests
   */
  Requests readRequests(Mode mode) {
    Requests requests = new Requests();
    tapes(mode).forEach(requests::read);
    return requests;
  }

  void checkRequests(Mode mode, Requests requests, long reserved, Deaths deaths) {
    Unique unique = Unique.of(requests.values());
    checkUnique(mode, unique);
    RealTime order = RealTime.of(requests);
    order.violations().forEach(pair -> add(REAL_TIME, mode, pair));
    long gaps = mode == Mode.ORDERED ? checkCounter(mode, unique, reserved, deaths) : 0;
    results.add(
        new ModeResult(
            mode,
            requests.values().size(),
            requests.values().size() + requests.left(),
            gaps,
            loss(mode, deaths),
            order.pairs()));
  }

  private OptionalLong loss(Mode mode, Deaths deaths) {
    return sizes.largestLoss(mode).isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(deaths.largestLoss(mode, sizes));
  }

  private void checkUnique(Mode mode, Unique unique) {
    for (long value : unique.twice()) {
      add(UNIQUE, mode, value + " by " + receivers(mode, value));
    }
    if (unique.duplicates() > NAMED) {
      add(UNIQUE, mode, unique.duplicates() + " times in all");
    }
  }

  /** Lists the receivers of a value. */
  private String receivers(Mode mode, long value) {
    List<String> receivers = new ArrayList<>();
    for (Path tape : tapes(mode)) {
      LongArrayList values;
      if (mode.isTimed()) {
        Requests requests = new Requests();
        requests.read(tape);
        values = requests.values();
      } else {
        values = Values.read(tape).values();
      }
      int place = values.indexOf(value);
      for (; place >= 0; place = after(values, value, place)) {
        receivers.add("(" + TapeName.of(tape) + ", as number " + (place + 1) + ")");
      }
    }
    return String.join(" and ", receivers);
  }

  private static int after(LongArrayList values, long value, int place) {
    int next = values.subList(place + 1, values.size()).indexOf(value);
    return next < 0 ? next : place + 1 + next;
  }

  /** Returns the number of gaps. */
  private long checkCounter(Mode mode, Unique unique, long reserved, Deaths deaths) {
    long passed = mode.isDense() ? unique.largest() : unique.distinct();
    if (passed > reserved) {
      add(COUNTER, mode, "the counter passed " + reserved + ", subscribers received " + passed);
    }
    long gaps = reserved - unique.distinct();
    long most = deaths.largestLoss(mode, sizes);
    if (sizes.largestLoss(mode).isPresent() && gaps > most) {
      add(GAPS, mode, gaps + " gaps, at most " + most + " after " + deaths);
    }
    return gaps;
  }

  /**
   * Checks the rows of a mode that inserts rows.
   *
   * @param rows by the request that made them: their numbers
   * @param reserved how many numbers the counter has passed
   */
  void checkRows(Mode mode, Long2LongOpenHashMap rows, Requests requests, long reserved) {
    long[] numbers = rows.values().toLongArray();
    java.util.Arrays.sort(numbers);
    for (int i = 0; i < numbers.length; i++) {
      if (numbers[i] != i + 1) {
        add(
            WITHOUT_GAPS,
            mode,
            "row " + (i + 1) + " of " + numbers.length + " in order has number " + numbers[i]);
        break;
      }
    }
    if (reserved != numbers.length) {
      add(WITHOUT_GAPS, mode, numbers.length + " rows, and the counter passed " + reserved);
    }
    rows.keySet()
        .longStream()
        .filter(key -> key < 0)
        .limit(NAMED)
        .forEach(key -> add(WITHOUT_GAPS, mode, "the database took row " + key + " after all"));
    int missing = 0;
    for (int i = 0; i < requests.values().size() && missing < NAMED; i++) {
      long received = requests.values().getLong(i);
      long stored = rows.getOrDefault(requests.rows().getLong(i), 0L);
      if (received != stored) {
        missing++;
        add(
            ACKNOWLEDGED,
            mode,
            "a request received " + received + ", its row has " + (stored == 0 ? "none" : stored));
      }
    }
  }

  private void add(String promise, Mode mode, String what) {
    violations.add(new Violation(promise, mode + ": " + what));
  }

  List<ModeResult> results() {
    return results;
  }

  List<Violation> violations() {
    return violations;
  }
}
