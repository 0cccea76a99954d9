package io.millrace.insert;

import io.millrace.insert.spi.PreparedRow;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** A group being written. Its end is reported once, and each of its rows gets an outcome. */
abstract class GroupSubscriber<T, P extends PreparedRow<T>>
    implements CoreSubscriber<List<InsertOutcome<T>>>, Scannable {

  final RowGroup<T, P> group;

  /** Written by the writer's signals, before the group is reported; then read by the drain loop. */
  private List<InsertOutcome<T>> outcomes = List.of();

  private @Nullable Throwable failure;

  /** Set by the writer's terminal signal, on any thread. */
  private volatile boolean ended;

  /** Written by {@code onSubscribe}, perhaps while the drain loop cancels. */
  private volatile @Nullable Subscription writing;

  /** Written by the drain loop. */
  private volatile boolean cancelled;

  GroupSubscriber(RowGroup<T, P> group) {
    this.group = group;
  }

  @Override
  public abstract Context currentContext();

  /** The group has ended. Called once, on any thread. */
  abstract void written();

  @Override
  public void onSubscribe(Subscription s) {
    writing = s;
    if (cancelled) {
      s.cancel();
    } else {
      s.request(Long.MAX_VALUE);
    }
  }

  @Override
  public void onNext(List<InsertOutcome<T>> result) {
    outcomes = result;
  }

  @Override
  public void onError(Throwable t) {
    if (cancelled) {
      Operators.onErrorDropped(t, currentContext());
      return;
    }
    failure = t;
    onComplete();
  }

  @Override
  public void onComplete() {
    ended = true;
    written();
  }

  /** Drain loop only. */
  void cancel() {
    cancelled = true;
    Subscription s = writing;
    if (s != null) {
      s.cancel();
    }
  }

  /** Reports the failure of a group whose rows will not be emitted; drain loop only. */
  void dropFailure() {
    if (failure != null) {
      Operators.onErrorDropped(failure, currentContext());
    }
  }

  /** Passes the outcome of each row to its slot. Called once, after the end. */
  void settle() {
    Throwable reason = failure == null ? contractViolation() : failure;
    for (int i = 0; i < group.size(); i++) {
      RowSlot<T> slot = group.slots.get(i);
      slot.settle(reason == null ? outcomes.get(i) : new InsertOutcome.Unknown<>(slot.row, reason));
    }
  }

  private @Nullable Throwable contractViolation() {
    return outcomes.size() == group.size()
        ? null
        : new IllegalStateException(
            "the writer of " + group.size() + " rows reported the outcomes of " + outcomes.size());
  }

  @Override
  public @Nullable Object scanUnsafe(Attr key) {
    if (key == Attr.PARENT) {
      return writing;
    }
    if (key == Attr.BUFFERED) {
      return group.size();
    }
    if (key == Attr.CANCELLED) {
      return cancelled;
    }
    if (key == Attr.TERMINATED) {
      return ended;
    }
    if (key == Attr.RUN_STYLE) {
      return Attr.RunStyle.ASYNC;
    }
    return null;
  }
}
