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

  private static final AtomicIntegerFieldUpdater<GuardedRecorder> STATE =
      AtomicIntegerFieldUpdater.newUpdater(GuardedRecorder.class, "state");

  private static final int NEW = 0;
  private static final int OPENED = 1;
  private static final int CLOSED = 2;

  private final SequenceMetricsRecorder recorder;

  /** What the recorder knows of the generator. */
  private volatile int state = NEW;

  /** Written by any thread on which the recorder throws; a lost race logs twice. */
  private volatile boolean throwLogged;

  GuardedRecorder(SequenceMetricsRecorder recorder) {
    this.recorder = recorder;
  }

  @Override
  public void opened(SequenceGenerator generator) {
    guard(() -> recorder.opened(generator));
    if (!STATE.compareAndSet(this, NEW, OPENED)) { // it ended meanwhile
      guard(() -> recorder.closed(generator));
    }
  }

  @Override
  public void closed(SequenceGenerator generator) {
    if (STATE.getAndSet(this, CLOSED) == OPENED) {
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
      if (!throwLogged) {
        throwLogged = true;
        LOG.warn("A metrics recorder threw; its later throws are not logged", thrown);
      }
    }
  }
}
