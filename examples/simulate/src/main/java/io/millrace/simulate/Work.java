package io.millrace.simulate;

/** How many steps a run will take, estimated before it. */
final class Work {

  /** About a minute's. */
  static final double MOST = 3e8;

  /** What a reservation costs, against a request looked at alone. */
  private static final double RESERVATION = 10;

  private Work() {}

  /** The scenario, shortened if that is needed for it to take no more steps than that. */
  static Scenario limited(Scenario scenario, double most) {
    double work = of(scenario);
    return work <= most
        ? scenario
        : scenario.withDuration(Math.max(1, (long) (scenario.duration() * (most / work))));
  }

  static double of(Scenario scenario) {
    double trip = (scenario.roundTrip().mean() + scenario.service().mean()) / 1e9;
    double rowLimit = scenario.rows() / (scenario.service().mean() / 1e9);
    double limit = Math.min(rowLimit, scenario.instances() / trip);
    double needed = scenario.rate() / scenario.batch();
    double reservations = Math.min(needed, limit);
    double perTrip = scenario.rate() / scenario.instances() * trip;
    double alone =
        needed > 0.8 * limit || scenario.isOrdered()
            ? scenario.rate()
            : Math.min(scenario.rate(), reservations * perTrip);
    return scenario.seconds() * (RESERVATION * reservations + alone);
  }
}
