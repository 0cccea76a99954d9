package io.millrace.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/**
 * Values of one setting to simulate one after the other, all else being equal; a watermark keeps
 * its part of the batch.
 *
 * @param setting which
 * @param values in rising order
 */
record Sweep(Setting setting, List<Long> values) {

  /** What can be varied; the names are what users write. */
  enum Setting {
    batch,
    watermark,
    stripes,
    instances,
    rate
  }

  /** One value of the setting, and what it showed. */
  record Point(long value, Outcome outcome) {}

  static final int POINTS = 15;

  private static final Pattern TEXT = Pattern.compile("([a-z]+)=(\\d{1,9})\\.\\.(\\d{1,9})");

  /** All values, or if they are many some at equal ratios, such as {@code batch=10..10000}. */
  static Sweep parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (matcher.matches()) {
      for (Setting setting : Setting.values()) {
        long from = Long.parseLong(matcher.group(2));
        long to = Long.parseLong(matcher.group(3));
        if (setting.name().equals(matcher.group(1)) && from <= to) {
          return new Sweep(setting, between(from, to));
        }
      }
    }
    throw new IllegalArgumentException(
        "must be like batch=10..10000, of batch, watermark, stripes, instances or rate, the smaller"
            + " number first, was '"
            + text
            + "'");
  }

  /** Batches from a tenth to ten times of the scenario's, up to its largest. */
  static Sweep ofBatches(Scenario scenario) {
    long batch = scenario.batch();
    long last = Math.min(scenario.maxBatch(), Math.max(20, batch * 10));
    return new Sweep(Setting.batch, between(Math.max(2, batch / 10), last));
  }

  private static List<Long> between(long from, long to) {
    if (to - from < POINTS) {
      return LongStream.rangeClosed(from, to).boxed().toList();
    }
    TreeSet<Long> values = new TreeSet<>(Set.of(from, to));
    double low = Math.max(1, from);
    for (int i = 1; i < POINTS - 1; i++) {
      values.add(Math.round(low * StrictMath.pow(to / low, (double) i / (POINTS - 1))));
    }
    return List.copyOf(values.headSet(to, true).tailSet(from, true));
  }

  long first() {
    return values.get(0);
  }

  long last() {
    return values.get(values.size() - 1);
  }

  /** What is simulated at one value. */
  Scenario at(Scenario base, long value) {
    return switch (setting) {
      case batch -> base.withBuffer(value, base.watermark() * value / base.batch());
      case watermark -> base.withBuffer(base.batch(), value);
      case stripes -> base.withRows((int) value);
      case instances -> base.withInstances((int) value);
      case rate -> base.withRate(value);
    };
  }

  List<Point> run(Scenario base, Runnable afterRun) {
    List<Point> points = new ArrayList<>();
    for (long value : values) {
      points.add(new Point(value, new Simulation(at(base, value)).run()));
      afterRun.run();
    }
    return points;
  }
}
