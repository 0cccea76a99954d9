package io.millrace.simulate;

/**
 * What is to be reached.
 *
 * @param stallProbability the part of the values that may wait
 * @param utilisation the part of the time in which a row's lock may be held, below 1
 */
record Goal(double stallProbability, double utilisation) {

  /**
   * Whether reservations of one batch each keep up. Where they do not, each run has a busier row
   * than the last, and none measures a row that is busy for more than all of the time.
   */
  boolean isPossible(Scenario scenario) {
    return scenario.rate() < scenario.capacity(scenario.batch());
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
