package io.millrace.insert;

import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.InsertOutcome.Rejected;
import io.millrace.insert.InsertOutcome.Unknown;
import io.millrace.insert.spi.PreparedRow;
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

  /** Not requested yet. */
  private static final int NEW = 0;

  /** In the queue. */
  private static final int WAITING = 1;

  /** Part of a group. */
  private static final int TAKEN = 2;

  private static final int ENDED = 3;

  final CoreSubscriber<? super T> actual;
  final P prepared;
  private final SharedCommits<T, P> writer;

  /** When it has waited long enough, in nanoseconds of the scheduler. Written before it waits. */
  private long deadline;

  private volatile int state = NEW;

  WriteCall(SharedCommits<T, P> writer, CoreSubscriber<? super T> actual, T row, P prepared) {
    super(row, 1);
    this.writer = writer;
    this.actual = actual;
    this.prepared = prepared;
  }

  @Override
  public void request(long n) {
    if (Operators.validate(n) && state == NEW) {
      writer.enqueue(this);
    }
  }

  /** Begins to wait; false if it was cancelled, or waits already. */
  boolean startWaiting(long until) {
    deadline = until;
    return STATE.compareAndSet(this, NEW, WAITING);
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

  /** Ends before it is part of a group; false if it is, or has ended. */
  boolean refuse(RowNotAcceptedException refusal) {
    boolean first =
        STATE.compareAndSet(this, WAITING, ENDED) || STATE.compareAndSet(this, NEW, ENDED);
    if (first) {
      actual.onError(refusal);
    }
    return first;
  }

  @Override
  public void cancel() {
    if (STATE.getAndSet(this, ENDED) == WAITING) {
      writer.departed();
    }
  }

  /** Passes the outcome on. Called once, when the row is part of a group. */
  void deliver() {
    InsertOutcome<T> known = outcome;
    if (known == null || !STATE.compareAndSet(this, TAKEN, ENDED)) {
      return;
    }
    if (known instanceof Committed) {
      actual.onNext(known.row());
      actual.onComplete();
    } else {
      actual.onError(failure(known));
    }
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
    if (key == Attr.TERMINATED) {
      return state == ENDED;
    }
    return key == Attr.RUN_STYLE ? Attr.RunStyle.ASYNC : null;
  }
}
