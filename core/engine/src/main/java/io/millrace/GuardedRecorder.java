package io.millrace;

import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * Keeps a recorder that throws from breaking the generator, and the subscribers' thread-locals from
 * a recorder: a call is {@link Detached}. The first throw is logged.
 */
final class GuardedRecorder implements SequenceMetricsRecorder {

  private static final Logger LOG = Loggers.getLogger(SequenceMetricsRecorder.class);

  private final SequenceMetricsRecorder recorder;

  /** Written by any thread on which the recorder throws; a lost race logs twice. */
  private volatile boolean complained;

  GuardedRecorder(SequenceMetricsRecorder recorder) {
    this.recorder = recorder;
  }

  @Override
  public void opened(SequenceGenerator generator) {
    guard(() -> recorder.opened(generator));
  }

  @Override
  public void closed(SequenceGenerator generator) {
    guard(() -> recorder.closed(generator));
  }

  @Override
  public void reserved(String sequence, long size, long nanos) {
    guard(() -> recorder.reserved(sequence, size, nanos));
  }

  @Override
  public void reservationFailed(String sequence, long nanos, Throwable failure) {
    guard(() -> recorder.reservationFailed(sequence, nanos, failure));
  }

  @Override
  public void waited(String sequence, long nanos) {
    guard(() -> recorder.waited(sequence, nanos));
  }

  @Override
  public void waiterRejected(String sequence) {
    guard(() -> recorder.waiterRejected(sequence));
  }

  @Override
  public void waiterTimedOut(String sequence) {
    guard(() -> recorder.waiterTimedOut(sequence));
  }

  @Override
  public void discarded(String sequence, long count) {
    guard(() -> recorder.discarded(sequence, count));
  }

  @Override
  public void released(String sequence, long count) {
    guard(() -> recorder.released(sequence, count));
  }

  private void guard(Runnable call) {
    try {
      Detached.run(call);
    } catch (Throwable thrown) {
      if (!complained) {
        complained = true;
        LOG.warn("A metrics recorder threw; its later throws are not logged", thrown);
      }
    }
  }
}
