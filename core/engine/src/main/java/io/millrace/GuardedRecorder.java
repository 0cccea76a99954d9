package io.millrace;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * One generator's recorder. A generator that it is told of, it is also told the end of, although
 * the end may come at any moment, from any thread.
 *
 * <p>It keeps a recorder that throws from breaking the generator, and the subscribers'
 * thread-locals from a recorder: a call is {@link Detached}. The first throw is logged.
 */
final class GuardedRecorder implements SequenceMetricsRecorder {

  private static final Logger LOG = Loggers.getLogger(SequenceMetricsRecorder.class);

  private static final AtomicIntegerFieldUpdater<GuardedRecorder> LIFE =
      AtomicIntegerFieldUpdater.newUpdater(GuardedRecorder.class, "life");

  private static final int UNTOLD = 0;
  private static final int TOLD = 1;
  private static final int OVER = 2;

  private final SequenceMetricsRecorder recorder;

  /** What the recorder knows of the generator. */
  private volatile int life = UNTOLD;

  /** Written by any thread on which the recorder throws; a lost race logs twice. */
  private volatile boolean complained;

  GuardedRecorder(SequenceMetricsRecorder recorder) {
    this.recorder = recorder;
  }

  @Override
  public void opened(SequenceGenerator generator) {
    guard(() -> recorder.opened(generator));
    if (!LIFE.compareAndSet(this, UNTOLD, TOLD)) { // it ended meanwhile
      guard(() -> recorder.closed(generator));
    }
  }

  @Override
  public void closed(SequenceGenerator generator) {
    if (LIFE.getAndSet(this, OVER) == TOLD) {
      guard(() -> recorder.closed(generator));
    }
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
