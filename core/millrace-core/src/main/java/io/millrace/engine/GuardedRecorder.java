package io.millrace.engine;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceMetricsRecorder;
import io.millrace.internal.ContextScope;
import io.millrace.internal.GuardedCall;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * One generator's recorder. For each {@code opened} it also receives {@code closed}, although the
 * end may come at any moment, from any thread.
 *
 * <p>It protects the generator from a recorder that throws, and hides the subscribers'
 * thread-locals from the recorder. The first throw is logged.
 */
final class GuardedRecorder implements SequenceMetricsRecorder {

  private static final Logger LOG = Loggers.getLogger(SequenceMetricsRecorder.class);

  private static final AtomicIntegerFieldUpdater<GuardedRecorder> STATE =
      AtomicIntegerFieldUpdater.newUpdater(GuardedRecorder.class, "state");

  private static final int NEW = 0;
  private static final int OPENED = 1;
  private static final int CLOSED = 2;

  private final SequenceMetricsRecorder recorder;

  /** Which of {@code opened} and {@code closed} the recorder has received. */
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
    GuardedCall.run(() -> ContextScope.runWithout(call), this::log);
  }

  private void log(Throwable thrown) {
    if (!throwLogged) {
      throwLogged = true;
      LOG.warn("A metrics recorder threw; its later throws are not logged", thrown);
    }
  }
}
