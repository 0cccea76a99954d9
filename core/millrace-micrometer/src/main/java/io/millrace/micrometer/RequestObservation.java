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

/**
 * The observation of one request. It ends once, and failures of handlers do not reach the request.
 */
final class RequestObservation {

  private static final Logger LOG = Loggers.getLogger(ObservedSequenceStore.class);

  /** Whether a failure was logged; two threads that race may log twice. */
  private static volatile boolean hasLogged;

  private final SequenceObservationContext context;
  private final ObservationRegistry registry;

  /** A no-op if the registry takes no observations or this one could not be started. */
  private Observation observation = Observation.NOOP;

  private final AtomicBoolean stopped = new AtomicBoolean();

  private RequestObservation(SequenceObservationContext context, ObservationRegistry registry) {
    this.context = context;
    this.registry = registry;
  }

  /** Starts an observation without a parent, even if another is current on this thread. */
  static RequestObservation start(
      SequenceObservationContext context,
      @Nullable SequenceObservationConvention convention,
      ObservationRegistry registry) {
    RequestObservation started = new RequestObservation(context, registry);
    started.runIn(new NullObservation(registry), () -> started.startAsRoot(convention));
    return started;
  }

  /**
   * Called in a scope of the null observation, which hides a tracer's span. The scope is removed
   * first, or the null observation would be the parent.
   */
  private void startAsRoot(@Nullable SequenceObservationConvention convention) {
    registry.setCurrentObservationScope(null);
    guard(
        () ->
            observation =
                Observation.start(
                    convention, SequenceObservationConvention.DEFAULT, () -> context, registry));
  }

  /**
   * Makes observations of the store's driver children of this one, if it looks for a parent in its
   * Context.
   */
  Context writeTo(Context request) {
    return observation.isNoop()
        ? request.delete(ObservationThreadLocalAccessor.KEY)
        : request.put(ObservationThreadLocalAccessor.KEY, observation);
  }

  /**
   * Makes observations on this thread during the work children of this one, or at least of no
   * other.
   */
  void run(Runnable work) {
    runIn(observation.isNoop() ? new NullObservation(registry) : observation, work);
  }

  private void runIn(Observation current, Runnable work) {
    Observation.Scope before = registry.getCurrentObservationScope();
    Observation.Scope[] scope = new Observation.Scope[] {Observation.Scope.NOOP};
    guard(() -> scope[0] = current.openScope());
    try {
      work.run();
    } finally {
      guard(scope[0]::close);
      registry.setCurrentObservationScope(before); // a handler that throws may have left another
    }
  }

  /** Ends the observation; the first of several outcomes counts. */
  void stop(Outcome outcome, @Nullable Throwable failure) {
    if (observation.isNoop() || !stopped.compareAndSet(false, true)) {
      return;
    }
    context.end(outcome);
    if (failure != null) {
      guard(() -> observation.error(failure));
    }
    guard(observation::stop);
  }

  private static void guard(Runnable call) {
    try {
      call.run();
    } catch (Throwable thrown) {
      if (!hasLogged) {
        hasLogged = true;
        LOG.warn(
            "An observation of a reservation threw an exception; further ones are not logged",
            thrown);
      }
    }
  }
}
