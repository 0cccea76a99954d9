package io.millrace.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGeneratorSnapshot;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceRegressionException;
import io.millrace.SequenceStoreException;
import io.millrace.SequenceTimeoutException;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** The meters of the generators that share a tag. Registered when created. */
final class SequenceMeters {

  private final MeterGroup meters;
  private final CountedGenerators live = new CountedGenerators();

  final Counter discarded;
  final Counter released;
  final Counter rejected;
  final Counter timeouts;
  private final Timer wait;
  private final DistributionSummary block;

  SequenceMeters(MeterRegistry registry, String tag) {
    meters = new MeterGroup(registry, "millrace.sequence.", Tags.of("sequence", tag));
    sum(
        "buffered",
        "values",
        "Values reserved and not yet issued",
        SequenceGeneratorSnapshot::buffered);
    sum(
        "waiters",
        "subscribers",
        "Subscribers waiting for values",
        SequenceGeneratorSnapshot::waiters);
    sum(
        "unmet",
        "values",
        "Values requested by waiting subscribers and not yet issued",
        SequenceGeneratorSnapshot::unmetDemand);
    sum(
        "inflight",
        "reservations",
        "Reservations sent to the store and not yet answered",
        snapshot -> snapshot.reservationInFlight() ? 1 : 0);
    sum(
        "block.size",
        "values",
        "Values that a reservation obtains if no subscriber waits",
        SequenceGeneratorSnapshot::blockSize);
    sum(
        "watermark",
        "values",
        "Buffered values at which the next block is reserved",
        SequenceGeneratorSnapshot::lowWatermark);
    gauge(
        "generators", "generators", "Generators built and not shut down", CountedGenerators::size);
    gauge(
        "remaining",
        "values",
        "Values up to maxValue that are not reserved",
        CountedGenerators::leastRemaining);
    meters.counter(
        "issued", "values", "Values issued to subscribers", live, CountedGenerators::issued);
    discarded = meters.counter("discarded", "values", "Values reserved and never issued: gaps");
    released = meters.counter("released", "values", "Values released to the store");
    rejected =
        meters.counter("rejected", "subscribers", "Subscribers rejected because the line was full");
    timeouts =
        meters.counter(
            "timeouts",
            "subscribers",
            "Subscribers that received no value within the acquire timeout");
    wait = meters.timer("wait", "Time for which subscribers waited for values");
    block = meters.summary("block", "values", "Values obtained by one reservation");
  }

  private void sum(
      String name,
      String unit,
      String description,
      ToLongFunction<SequenceGeneratorSnapshot> figure) {
    gauge(name, unit, description, each -> each.sum(figure));
  }

  private void gauge(
      String name, String unit, String description, ToDoubleFunction<CountedGenerators> figure) {
    meters.gauge(name, unit, description, live, figure);
  }

  void open(SequenceGenerator generator) {
    live.add(generator);
  }

  /** Removes a generator, and with the last one the meters. Returns true if it was the last. */
  boolean close(SequenceGenerator generator) {
    boolean isLast = live.remove(generator);
    if (isLast) {
      meters.remove();
    }
    return isLast;
  }

  void reserved(long size, long nanos) {
    timed("success", nanos);
    block.record(size);
  }

  void failed(Throwable failure, long nanos) {
    timed(outcome(failure), nanos);
  }

  private void timed(String outcome, long nanos) {
    meters
        .timer(
            "reservation", "Time that the store took to answer a reservation", "outcome", outcome)
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  private static String outcome(Throwable failure) {
    if (failure instanceof SequenceTimeoutException) {
      return "timeout";
    }
    if (failure instanceof SequenceNotFoundException) {
      return "not_found";
    }
    if (failure instanceof SequenceExhaustedException) {
      return "exhausted";
    }
    if (failure instanceof SequenceRegressionException) {
      return "regression";
    }
    return failure instanceof SequenceStoreException ? "refused" : "error";
  }

  void waited(long nanos) {
    wait.record(nanos, TimeUnit.NANOSECONDS);
  }
}
