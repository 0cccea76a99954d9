package io.millrace.insert;

import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.InsertOutcome.Rejected;
import io.millrace.insert.InsertOutcome.Unknown;
import io.millrace.insert.spi.PreparedRow;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Operators;

/**
 * One row and the subscriber that waits for its outcome.
 *
 * <p><b>Invariant.</b> {@link #state} only rises. The thread that moves it to {@link #ENDED}
 * signals the subscriber or has cancelled; the one that moves it from {@link #WAITING} gives the
 * place in the queue up.
 */
final class WriteCall<T, P extends PreparedRow<T>> extends RowSlot<T>
    implements Subscription, Scannable {

  @SuppressWarnings("rawtypes")
  private static final AtomicIntegerFieldUpdater<WriteCall> STATE =
      AtomicIntegerFieldUpdater.newUpdater(WriteCall.class, "state");

  private static final int NEW = 0;

  /** One thread puts it into the queue. */
  private static final int REQUESTED = 1;

  /** In the queue. */
  private static final int WAITING = 2;

  /** Part of a group. */
  private static final int TAKEN = 3;

  private static final int ENDED = 4;

  final CoreSubscriber<? super T> actual;
  final P prepared;
  private final SharedCommits<T, P> writer;

  /** When it has waited long enough, in nanoseconds of the scheduler. Written before it waits. */
  private long deadline;

  private volatile int state = NEW;
  private volatile boolean cancelled;

  WriteCall(SharedCommits<T, P> writer, CoreSubscriber<? super T> actual, T row, P prepared) {
    super(row, 1);
    this.writer = writer;
    this.actual = actual;
    this.prepared = prepared;
  }

  @Override
  public void request(long n) {
    if (Operators.validate(n) && state == NEW) {
      SharedCommits.needStack(); // before anything has begun
      if (STATE.compareAndSet(this, NEW, REQUESTED)) {
        writer.enqueue(this);
      }
    }
  }

  /** Begins to wait; false if it was cancelled. */
  boolean startWaiting(long until) {
    deadline = until;
    return STATE.compareAndSet(this, REQUESTED, WAITING);
  }

  boolean isWaiting() {
    return state == WAITING;
  }

  long deadline() {
    return deadline;
  }

  /** Becomes part of a group; false if it was cancelled. */
  boolean take() {
    return STATE.compareAndSet(this, WAITING, TAKEN);
  }

  /** Ends a call that is in the queue; false if it has left. */
  boolean leave() {
    return STATE.compareAndSet(this, WAITING, ENDED);
  }

  /** Ends a call that is not in the queue yet. */
  void refuse(RowNotAcceptedException refusal) {
    if (STATE.compareAndSet(this, REQUESTED, ENDED)) {
      actual.onError(refusal);
    }
  }

  @Override
  public void cancel() {
    cancelled = true;
    if (STATE.getAndSet(this, ENDED) == WAITING) {
      writer.departed();
    }
  }

  /** Passes the outcome on. Called once, when the row is part of a group. */
  void deliver() {
    InsertOutcome<T> known = Objects.requireNonNull(outcome, "outcome");
    InsertFailedException failure = known instanceof Committed ? null : failure(known);
    if (!STATE.compareAndSet(this, TAKEN, ENDED)) {
      return;
    }
    if (failure != null) {
      actual.onError(failure);
      return;
    }
    actual.onNext(known.row());
    actual.onComplete();
  }

  private static InsertFailedException failure(InsertOutcome<?> outcome) {
    return outcome instanceof Unknown<?> unknown
        ? InsertFailedException.ofOne(unknown.row(), true, unknown.reason())
        : InsertFailedException.ofOne(outcome.row(), false, ((Rejected<?>) outcome).reason());
  }

  @Override
  public @Nullable Object scanUnsafe(Attr key) {
    if (key == Attr.ACTUAL) {
      return actual;
    }
    if (key == Attr.CANCELLED) {
      return cancelled;
    }
    if (key == Attr.TERMINATED) {
      return state == ENDED && !cancelled;
    }
    return key == Attr.RUN_STYLE ? Attr.RunStyle.ASYNC : null;
  }
}
