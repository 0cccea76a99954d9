package io.millrace.insert;

import io.millrace.insert.InsertOutcome.Rejected;
import io.millrace.insert.InsertOutcome.Unknown;
import io.millrace.insert.RowWriterMetricsRecorder.Outcome;
import io.millrace.insert.spi.PreparedRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Operators;

/**
 * The rows of one call, which are committed together, and the subscriber that waits for their
 * outcome.
 *
 * <p><b>Invariant.</b> {@link #state} only rises. The thread that moves it to {@link #ENDED}
 * signals the subscriber or has cancelled; the one that moves it from {@link #WAITING} gives the
 * place in the queue up.
 */
final class WriteCall<T, P extends PreparedRow<T>> implements Subscription, Scannable {

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

  final CoreSubscriber<? super List<T>> actual;

  /** At least one. */
  final List<P> prepared;

  final List<RowSlot<T>> slots;
  final long cells;
  final long bytes;
  private final SharedCommits<T, P> writer;

  /** When it began to wait, in nanoseconds of the scheduler. Written before it waits. */
  private long since;

  private volatile int state = NEW;
  private volatile boolean cancelled;

  WriteCall(
      SharedCommits<T, P> writer,
      CoreSubscriber<? super List<T>> actual,
      List<T> rows,
      List<P> prepared) {
    this.writer = writer;
    this.actual = actual;
    this.prepared = prepared;
    this.slots = new ArrayList<>(rows.size());
    rows.forEach(row -> slots.add(new RowSlot<>(row, 1)));
    this.cells = prepared.stream().mapToLong(PreparedRow::cells).sum();
    this.bytes = prepared.stream().mapToLong(PreparedRow::bytes).sum();
  }

  /** How many rows it has. */
  int size() {
    return prepared.size();
  }

  @Override
  public void request(long n) {
    if (Operators.validate(n) && STATE.compareAndSet(this, NEW, REQUESTED)) {
      writer.enqueue(this);
    }
  }

  /** Begins to wait; false if it was cancelled. */
  boolean startWaiting(long now) {
    since = now;
    return STATE.compareAndSet(this, REQUESTED, WAITING);
  }

  boolean isWaiting() {
    return state == WAITING;
  }

  long since() {
    return since;
  }

  /** Becomes part of a group; false if it was cancelled. */
  boolean take() {
    return STATE.compareAndSet(this, WAITING, TAKEN);
  }

  /** Ends a call that is in the queue; false if it has left. */
  boolean leave() {
    return STATE.compareAndSet(this, WAITING, ENDED);
  }

  /** Ends a call that is not in the queue yet; false if it was cancelled. */
  boolean refuse() {
    return STATE.compareAndSet(this, REQUESTED, ENDED);
  }

  @Override
  public void cancel() {
    cancelled = true;
    if (STATE.getAndSet(this, ENDED) == WAITING) {
      writer.departed(this);
    }
  }

  /** What became of the rows of a call that is part of a group. */
  Outcome outcome() {
    InsertOutcome<T> worst = worst();
    return worst instanceof Unknown
        ? Outcome.UNKNOWN
        : worst instanceof Rejected ? Outcome.REJECTED : Outcome.COMMITTED;
  }

  /** Passes the outcome on. Called once, when the rows are part of a group. */
  void deliver() {
    List<T> rows = new ArrayList<>(slots.size());
    slots.forEach(slot -> rows.add(outcome(slot).row()));
    InsertFailedException failure = failure(rows);
    if (!STATE.compareAndSet(this, TAKEN, ENDED)) {
      return;
    }
    if (failure != null) {
      actual.onError(failure);
      return;
    }
    actual.onNext(rows);
    actual.onComplete();
  }

  private @Nullable InsertFailedException failure(List<T> rows) {
    InsertOutcome<T> worst = worst();
    if (worst instanceof Unknown<T> unknown) {
      return InsertFailedException.ofCall(rows, true, unknown.reason());
    }
    return worst instanceof Rejected<T> refused
        ? InsertFailedException.ofCall(rows, false, refused.reason())
        : null;
  }

  /**
   * All rows have one fate, so one outcome tells it: that of the first unknown row, as a search may
   * find others as they were sent; else of the first rejected one; else any.
   */
  private InsertOutcome<T> worst() {
    InsertOutcome<T> worst = outcome(slots.get(0));
    for (RowSlot<T> slot : slots) {
      InsertOutcome<T> outcome = outcome(slot);
      if (outcome instanceof Unknown) {
        return outcome;
      }
      worst = worst instanceof Rejected ? worst : outcome;
    }
    return worst;
  }

  private static <T> InsertOutcome<T> outcome(RowSlot<T> slot) {
    return Objects.requireNonNull(slot.outcome, "outcome");
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
