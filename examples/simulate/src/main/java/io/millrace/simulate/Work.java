package io.millrace.simulate;

/** How many steps a run will take, estimated before it. */
final class Work {

  /** About a minute's. */
  static final double MOST = 3e8;

  /** What a reservation costs, against a request looked at alone. */
  static final long RESERVATION = 10;

  private Work() {}

  static double of(Scenario scenario) {
    double trip = scenario.trip() / 1e9;
    double limit = scenario.capacity(1);
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
