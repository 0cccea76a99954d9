package io.millrace.engine;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceMetricsRecorder;
import io.millrace.internal.RecorderGuard;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * One generator's recorder. For each {@code opened} it also receives {@code closed}, although the
 * end may come at any moment, from any thread.
 */
final class GuardedRecorder implements SequenceMetricsRecorder {

  private static final Logger LOG = Loggers.getLogger(SequenceMetricsRecorder.class);

  private static final AtomicIntegerFieldUpdater<GuardedRecorder> STATE =
      AtomicIntegerFieldUpdater.newUpdater(GuardedRecorder.class, "state");

  private static final int NEW = 0;
  private static final int OPENED = 1;
  private static final int CLOSED = 2;

  private final RecorderGuard guard = new RecorderGuard(LOG);
  private final SequenceMetricsRecorder recorder;

  /** Which of {@code opened} and {@code closed} the recorder has received. */
  private volatile int state = NEW;

  GuardedRecorder(SequenceMetricsRecorder recorder) {
    this.recorder = recorder;
  }

  @Override
  public void opened(SequenceGenerator generator) {
    guard.run(() -> recorder.opened(generator));
    if (!STATE.compareAndSet(this, NEW, OPENED)) { // it ended meanwhile
      guard.run(() -> recorder.closed(generator));
    }
  }

  @Override
  public void closed(SequenceGenerator generator) {
    if (STATE.getAndSet(this, CLOSED) == OPENED) {
      guard.run(() -> recorder.closed(generator));
    }
  }

  @Override
  public void reserved(String sequence, long size, long nanos) {
    guard.run(() -> recorder.reserved(sequence, size, nanos));
  }

  @Override
  public void reservationFailed(String sequence, long nanos, Throwable failure) {
    guard.run(() -> recorder.reservationFailed(sequence, nanos, failure));
  }

  @Override
  public void waited(String sequence, long nanos) {
    guard.run(() -> recorder.waited(sequence, nanos));
  }

  @Override
  public void waiterRejected(String sequence) {
    guard.run(() -> recorder.waiterRejected(sequence));
  }

  @Override
  public void waiterTimedOut(String sequence) {
    guard.run(() -> recorder.waiterTimedOut(sequence));
  }

  @Override
  public void discarded(String sequence, long count) {
    guard.run(() -> recorder.discarded(sequence, count));
  }

  @Override
  public void released(String sequence, long count) {
    guard.run(() -> recorder.released(sequence, count));
  }
}
