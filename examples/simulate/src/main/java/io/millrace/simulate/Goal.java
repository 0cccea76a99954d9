package io.millrace.simulate;

/**
 * What is to be reached.
 *
 * @param stallProbability the part of the values that may wait
 * @param utilisation the part of the time in which a row's lock may be held, below 1
 */
record Goal(double stallProbability, double utilisation) {

  /** What two ways to compute one number may differ by. */
  private static final double ROUNDING = 1e-9;

  /**
   * Whether reservations of one batch each keep up, in the long run. No run shows that they do not:
   * it may end before the rows are as busy as they will be, and never finds one busier than all of
   * the time.
   */
  boolean isPossible(Scenario scenario) {
    return scenario.rate() < scenario.capacity(scenario.batch())
        && scenario.load() <= utilisation + ROUNDING;
  }

  boolean isReached(Scenario scenario, Outcome outcome) {
    return isPossible(scenario)
        && outcome.end() == Outcome.End.COMPLETE
        && outcome.stallProbability() <= stallProbability
        && outcome.utilisation() <= utilisation;
  }

  /** How many values may wait in a run. */
  double tolerated(Scenario scenario) {
    return stallProbability * scenario.rate() * scenario.seconds();
  }
}
