package io.millrace.insert;

import io.millrace.internal.ContextScope;
import io.millrace.internal.GuardedCall;
import java.util.function.Consumer;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * Protects a writer from a recorder that throws, and hides the callers' thread-locals from the
 * recorder. The first throw is logged.
 */
final class GuardedWriterRecorder {

  private static final Logger LOG = Loggers.getLogger(RowWriterMetricsRecorder.class);

  private final RowWriterMetricsRecorder recorder;

  /** Written by any thread on which the recorder throws; a lost race logs twice. */
  private volatile boolean throwLogged;

  GuardedWriterRecorder(RowWriterMetricsRecorder recorder) {
    this.recorder = recorder;
  }

  /** Whether nobody listens, so that there is nothing to measure. */
  boolean isIdle() {
    return recorder == RowWriterMetricsRecorder.NONE;
  }

  void record(Consumer<RowWriterMetricsRecorder> event) {
    if (!isIdle()) {
      GuardedCall.run(() -> ContextScope.runWithout(() -> event.accept(recorder)), this::log);
    }
  }

  private void log(Throwable thrown) {
    if (!throwLogged) {
      throwLogged = true;
      LOG.warn("A metrics recorder threw; its later throws are not logged", thrown);
    }
  }
}
