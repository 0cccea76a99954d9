package io.millrace;

import reactor.core.scheduler.Scheduler;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * Signals subscribers that had to wait, on the thread that has something for them or on a
 * scheduler.
 *
 * <p>A subscriber that throws from a signal, as none should, does not end the drain loop or the
 * timer that signalled it: all others depend on those. A scheduler that refuses a signal, in
 * whatever way, leaves it to the thread that has something for the subscriber.
 */
final class Delivery {

  private static final Logger LOG = Loggers.getLogger(SequenceGenerator.class);

  private final GeneratorConfig config;

  Delivery(GeneratorConfig config) {
    this.config = config;
  }

  /** Whether any thread may signal. */
  boolean isAnywhere() {
    return config.deliverOn() == null;
  }

  void signal(Runnable signal) {
    Scheduler scheduler = config.deliverOn();
    if (scheduler == null) {
      run(signal);
      return;
    }
    try {
      scheduler.schedule(() -> run(signal));
    } catch (Throwable refused) {
      run(signal);
    }
  }

  private void run(Runnable signal) {
    try {
      signal.run();
    } catch (Throwable thrown) {
      LOG.error("A subscriber to sequence '" + config.sequence() + "' threw from a signal", thrown);
    }
  }
}
