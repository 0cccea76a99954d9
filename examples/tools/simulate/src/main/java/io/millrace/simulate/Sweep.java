package io.millrace.simulate;

import io.millrace.internal.ShownText;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/**
 * Several values of one setting, simulated one after the other with all else equal. The watermark
 * keeps its proportion to the block.
 *
 * @param setting the setting to vary
 * @param values in ascending order
 */
record Sweep(Setting setting, List<Long> values) {

  /** The settings that can be varied; users write these names. */
  enum Setting {
    block,
    watermark,
    stripes,
    instances,
    rate
  }

  /** One value of the setting, and its result. */
  record Point(long value, Outcome outcome) {}

  static final int POINTS = 15;

  private static final Pattern TEXT = Pattern.compile("([a-z]+)=(\\d{1,9})\\.\\.(\\d{1,9})");

  /**
   * Parses such as {@code block=10..10000}: all values, or some at equal ratios if there are many.
   */
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
        "must be like block=10..10000, of block, watermark, stripes, instances or rate, the smaller"
            + " number first, was "
            + ShownText.quote(text));
  }

  /** Blocks from a tenth of the scenario's block to ten times it, up to its largest. */
  static Sweep ofBlocks(Scenario scenario) {
    long block = scenario.block();
    long last = Math.min(scenario.maxBlock(), Math.max(20, block * 10));
    return new Sweep(Setting.block, between(Math.max(2, block / 10), last));
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

  /** The scenario for one value. */
  Scenario at(Scenario base, long value) {
    return switch (setting) {
      case block -> base.withBuffer(value, base.watermark() * value / base.block());
      case watermark -> base.withBuffer(base.block(), value);
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
