package io.millrace.engine;

import io.millrace.SequenceGenerator;
import io.millrace.internal.GuardedCall;
import io.millrace.internal.ShownText;
import java.util.function.Consumer;
import reactor.core.scheduler.Scheduler;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * Signals subscribers that had to wait, on the calling thread or on a scheduler.
 *
 * <p>A subscriber should not throw from a signal. If it does, the drain loop or timer that
 * signalled it goes on, because all other subscribers depend on it. If the scheduler refuses a
 * signal, the calling thread delivers it.
 */
final class Delivery {

  private static final Logger LOG = Loggers.getLogger(SequenceGenerator.class);

  private final GeneratorConfig config;

  /** Made once: a signal must not need memory. */
  private final Consumer<Throwable> log = this::log;

  Delivery(GeneratorConfig config) {
    this.config = config;
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
    GuardedCall.run(signal, log);
  }

  private void log(Throwable thrown) {
    LOG.error(
        "A subscriber to sequence " + ShownText.quote(config.sequence()) + " threw from a signal",
        thrown);
  }
}
