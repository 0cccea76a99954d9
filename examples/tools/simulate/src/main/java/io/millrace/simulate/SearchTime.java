package io.millrace.simulate;

/**
 * The duration of a search's runs. It is the duration of the options, unless that shows too little
 * or takes too many steps. It always covers {@link #ENOUGH} reservations.
 *
 * @param goal the goal of the search
 * @param mostWork the most steps that a run should take; the shortest duration may need more
 */
record SearchTime(Goal goal, double mostWork) {

  /** A run with this many consecutive reservations, or values that may wait, is significant. */
  static final double ENOUGH = 100;

  private static final long MILLISECOND = 1_000_000;
  private static final double LONGEST = 366 * 86_400e9;

  Scenario of(Scenario scenario) {
    double possible = scenario.duration() * (mostWork / Work.of(scenario));
    double nanos =
        Math.max(
            least(scenario), Math.min(Math.max(scenario.duration(), wanted(scenario)), possible));
    return scenario.withDuration((long) Math.ceil(nanos / MILLISECOND) * MILLISECOND);
  }

  private static double least(Scenario scenario) {
    return ENOUGH * scenario.trip();
  }

  private double wanted(Scenario scenario) {
    double aSecond = goal.stallProbability() * scenario.rate();
    return aSecond == 0 ? 0 : Math.min(LONGEST, ENOUGH / aSecond * 1e9);
  }
}
