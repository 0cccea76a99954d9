package io.millrace.simulate;

/**
 * The goal of a search.
 *
 * @param stallProbability the part of the values that may wait
 * @param utilisation the part of the time in which a row's lock may be held, below 1
 */
record Goal(double stallProbability, double utilisation) {

  /** The difference that rounding may cause. */
  private static final double ROUNDING = 1e-9;

  /**
   * Whether reservations of the block size each keep up in the long run. A run cannot show that
   * they do not: it may end before the rows reach their full load, and no row is busy more than all
   * of the time.
   */
  boolean isPossible(Scenario scenario) {
    return scenario.rate() < scenario.capacity(scenario.block())
        && scenario.load() <= utilisation + ROUNDING;
  }

  boolean isReached(Scenario scenario, Outcome outcome) {
    return isPossible(scenario)
        && outcome.end() == Outcome.End.COMPLETE
        && outcome.stallProbability() <= stallProbability
        && outcome.utilisation() <= utilisation;
  }

  /** The number of values that may wait in a run. */
  double tolerated(Scenario scenario) {
    return stallProbability * scenario.rate() * scenario.seconds();
  }
}
