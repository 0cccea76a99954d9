package io.millrace.simulate;

import java.util.function.LongSupplier;
import org.apache.commons.rng.UniformRandomProvider;

/** Draws the times of reservations: for each, the round trip, then the service. */
final class Delays {

  private final LongSupplier roundTrips;
  private final LongSupplier services;

  Delays(Scenario scenario, UniformRandomProvider random) {
    this.roundTrips = scenario.roundTrip().sampler(random);
    this.services = scenario.service().sampler(random);
  }

  long roundTrip() {
    return roundTrips.getAsLong();
  }

  long service() {
    return services.getAsLong();
  }
}
