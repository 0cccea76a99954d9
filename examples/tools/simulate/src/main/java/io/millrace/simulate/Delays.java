package io.millrace.simulate;

import java.util.function.LongSupplier;
import org.apache.commons.rng.UniformRandomProvider;

/** Draws the delays of reservations. */
final class Delays {

  private final LongSupplier roundTrips;
  private final LongSupplier services;

  Delays(Scenario scenario, UniformRandomProvider trips, UniformRandomProvider services) {
    this.roundTrips = scenario.roundTrip().sampler(trips);
    this.services = scenario.service().sampler(services);
  }

  long roundTrip() {
    return roundTrips.getAsLong();
  }

  long service() {
    return services.getAsLong();
  }
}
