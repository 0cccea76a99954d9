package io.millrace;

import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * Signals subscribers that had to wait, on the thread that has something for them or on a
 * scheduler.
 *
 * <p>A subscriber that throws from a signal, as none should, does not end the drain loop or the
 * timer that signalled it: all others depend on those.
 */
final class Delivery {

  private static final Logger LOG = Loggers.getLogger(SequenceGenerator.class);

  private final String sequence;
  private final @Nullable Scheduler scheduler;

  Delivery(GeneratorConfig config) {
    this.sequence = config.sequence();
    this.scheduler = config.deliverOn();
  }

  /** Whether any thread may signal. */
  boolean isAnywhere() {
    return scheduler == null;
  }

  void signal(Runnable signal) {
    if (scheduler == null) {
      run(signal);
      return;
    }
    try {
      scheduler.schedule(signal);
    } catch (RejectedExecutionException shutDown) {
      run(signal);
    }
  }

  private void run(Runnable signal) {
    try {
      signal.run();
    } catch (Throwable thrown) {
      LOG.error("A subscriber to sequence '" + sequence + "' threw from a signal", thrown);
    }
  }
}
