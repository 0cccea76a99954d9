package io.millrace.simulate;

import io.millrace.tools.Durations;
import java.util.Locale;

/** Checks the options. Each message names the option, its value and its limit. */
final class Limits {

  static final long LARGEST_BLOCK = 1_000_000;
  static final long MOST_STRIPES = 1024;
  static final long MOST_INSTANCES = 10_000;
  static final double HIGHEST_RATE = 1e8;

  private static final long LONGEST_DELAY = 60_000_000_000L;
  private static final long SHORTEST_RUN = 1_000_000;

  private Limits() {}

  static void require(String option, double value, double min, double max) {
    if (!(value >= min && value <= max)) {
      throw new IllegalArgumentException(
          option + " must be from " + text(min) + " to " + text(max) + ", was " + text(value));
    }
  }

  private static String text(double number) {
    return number == Math.rint(number) && Math.abs(number) < 1e9
        ? Long.toString((long) number)
        : Double.toString(number);
  }

  static void check(Scenario scenario) {
    require("--instances", scenario.instances(), 1, MOST_INSTANCES);
    require("--rate", scenario.rate(), 0.001, HIGHEST_RATE);
    require("--stripes", scenario.rows(), 1, MOST_STRIPES);
    require("--block-size", scenario.block(), 1, LARGEST_BLOCK);
    long most = scenario.block() - 1;
    if (scenario.watermark() < 0 || scenario.watermark() > most) {
      throw new IllegalArgumentException(
          "--watermark must be from 0 to " + most + " (block - 1), was " + scenario.watermark());
    }
    if (scenario.isOrdered() && scenario.rows() > 1) {
      throw new IllegalArgumentException(
          "--block-size must be from 2 to "
              + LARGEST_BLOCK
              + " with --stripes "
              + scenario.rows()
              + ", was 1: stripes have no order");
    }
    if (scenario.duration() < SHORTEST_RUN) {
      throw new IllegalArgumentException(
          "--duration must be from 1ms to 8784h, was " + Durations.text(scenario.duration()));
    }
    check("--service-time", scenario.service());
    check("--rtt", scenario.roundTrip());
    checkWork(Work.of(scenario), scenario.duration());
  }

  private static void check(String option, Delay delay) {
    if (delay.mean() > LONGEST_DELAY) {
      throw new IllegalArgumentException(
          option + " must be from 0s to 1m on average, was " + delay);
    }
  }

  static void check(Sweep sweep, Scenario base) {
    switch (sweep.setting()) {
      case block -> checkEnds(sweep, base.rows() > 1 ? 2 : 1, LARGEST_BLOCK);
      case watermark -> checkEnds(sweep, 0, base.block() - 1);
      case stripes -> checkEnds(sweep, 1, base.isOrdered() ? 1 : MOST_STRIPES);
      case instances -> checkEnds(sweep, 1, MOST_INSTANCES);
      case rate -> checkEnds(sweep, 1, HIGHEST_RATE);
    }
    double work =
        sweep.values().stream().mapToDouble(value -> Work.of(sweep.at(base, value))).sum();
    checkWork(work, base.duration());
  }

  private static void checkEnds(Sweep sweep, double min, double max) {
    require("the first value of --sweep", sweep.first(), min, max);
    require("the last value of --sweep", sweep.last(), min, max);
  }

  private static void checkWork(double work, long duration) {
    if (work > Work.MOST) {
      long possible = (long) (duration * (Work.MOST / work) / 1e6) * 1_000_000;
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "--duration %s means about %.1e steps, more than %.1e; at most %s, or a larger block",
              Durations.text(duration),
              work,
              Work.MOST,
              Durations.text(possible)));
    }
  }
}
