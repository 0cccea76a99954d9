package io.millrace.simulate;

/**
 * How long the runs of a search last: as long as asked for, or longer where that would show too
 * little, or shorter where it would take too long, but never too short for any proof.
 *
 * @param goal what is searched for
 * @param mostWork steps that a run should take at the most, but for the shortest time there is
 */
record SearchTime(Goal goal, double mostWork) {

  /** So many reservations one after the other, or values that may wait, show something. */
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
