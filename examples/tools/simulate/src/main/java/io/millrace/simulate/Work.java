package io.millrace.simulate;

/** Estimates the number of steps of a run. */
final class Work {

  /** The steps of about a minute. */
  static final double MOST = 3e8;

  /** The cost of a reservation, where a request that is handled alone costs 1. */
  static final long RESERVATION = 10;

  private Work() {}

  static double of(Scenario scenario) {
    double trip = scenario.trip() / 1e9;
    double limit = scenario.capacity(1);
    double needed = scenario.rate() / scenario.block();
    double reservations = Math.min(needed, limit);
    double perTrip = scenario.rate() / scenario.instances() * trip;
    double alone =
        needed > 0.8 * limit || scenario.isOrdered()
            ? scenario.rate()
            : Math.min(scenario.rate(), reservations * perTrip);
    return scenario.seconds() * (RESERVATION * reservations + alone);
  }
}
