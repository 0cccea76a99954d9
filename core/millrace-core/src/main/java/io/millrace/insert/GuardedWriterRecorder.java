package io.millrace.insert;

import io.millrace.internal.RecorderGuard;
import java.util.function.Consumer;
import reactor.util.Logger;
import reactor.util.Loggers;

/** A writer's recorder, which is not called at all if it records nothing. */
final class GuardedWriterRecorder {

  private static final Logger LOG = Loggers.getLogger(RowWriterMetricsRecorder.class);

  private final RecorderGuard guard = new RecorderGuard(LOG);
  private final RowWriterMetricsRecorder recorder;

  GuardedWriterRecorder(RowWriterMetricsRecorder recorder) {
    this.recorder = recorder;
  }

  /** Whether nobody listens, so that there is nothing to measure. */
  boolean isIdle() {
    return recorder == RowWriterMetricsRecorder.NONE;
  }

  void record(Consumer<RowWriterMetricsRecorder> event) {
    if (!isIdle()) {
      guard.run(() -> event.accept(recorder));
    }
  }
}
