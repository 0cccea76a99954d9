package io.millrace.micrometer;

import io.micrometer.observation.NullObservation;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import reactor.util.Logger;
import reactor.util.Loggers;
import reactor.util.context.Context;

/** The observation of one request, which ends once, and whose failures stay here. */
final class RequestObservation {

  private static final Logger LOG = Loggers.getLogger(ObservedSequenceStore.class);

  /** Whether a failure was logged; a lost race logs twice. */
  private static volatile boolean complained;

  private final SequenceObservationContext context;
  private final Observation observation;
  private final AtomicBoolean stopped = new AtomicBoolean();

  private RequestObservation(SequenceObservationContext context, Observation observation) {
    this.context = context;
    this.observation = observation;
  }

  /** Starts an observation without a parent, whatever is current on this thread. */
  static RequestObservation start(
      SequenceObservationContext context,
      @Nullable SequenceObservationConvention convention,
      ObservationRegistry registry) {
    Observation observation = Observation.NOOP;
    if (!registry.isNoop()) {
      // The scope of a null observation also hides a tracer's current span. It is an observation
      // itself, and is hidden in turn; closing it restores what was before.
      try (Observation.Scope cleared = new NullObservation(registry).openScope()) {
        registry.setCurrentObservationScope(null);
        observation =
            Observation.start(
                convention, SequenceObservationConvention.DEFAULT, () -> context, registry);
      } catch (Throwable thrown) {
        complain(thrown);
      }
    }
    return new RequestObservation(context, observation);
  }

  /** Makes what the store's driver observes a child. */
  Context writeTo(Context request) {
    return observation.isNoop()
        ? request.delete(ObservationThreadLocalAccessor.KEY)
        : request.put(ObservationThreadLocalAccessor.KEY, observation);
  }

  /** Ends the observation; the first of several outcomes counts. */
  void stop(Outcome outcome, @Nullable Throwable failure) {
    if (observation.isNoop() || !stopped.compareAndSet(false, true)) {
      return;
    }
    try {
      context.end(outcome);
      if (failure != null) {
        observation.error(failure);
      }
      observation.stop();
    } catch (Throwable thrown) {
      complain(thrown);
    }
  }

  private static void complain(Throwable thrown) {
    if (!complained) {
      complained = true;
      LOG.warn("An observation of a reservation threw; later throws are not logged", thrown);
    }
  }
}
