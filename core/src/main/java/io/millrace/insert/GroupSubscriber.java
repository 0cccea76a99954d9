package io.millrace.insert;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** A group being written. Its end is reported once; what became of its rows is never missing. */
final class GroupSubscriber<T, P extends GroupWriter.PreparedRow<T>>
    implements CoreSubscriber<List<InsertOutcome<T>>>, Scannable {

  private final InsertSubscriber<T, P, ?> parent;
  final RowGroup<T, P> group;

  /** Written by the writer's signals, before the group is reported; then read by the drain loop. */
  private @Nullable List<InsertOutcome<T>> outcomes;

  private @Nullable Throwable failure;
  private boolean ended;

  /** Written by {@code onSubscribe}, perhaps while the drain loop cancels. */
  private volatile @Nullable Subscription writing;

  /** Written by the drain loop. */
  private volatile boolean cancelled;

  GroupSubscriber(InsertSubscriber<T, P, ?> parent, RowGroup<T, P> group) {
    this.parent = parent;
    this.group = group;
  }

  @Override
  public Context currentContext() {
    return parent.currentContext();
  }

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
    if (ended || cancelled) {
      Operators.onErrorDropped(t, currentContext());
      return;
    }
    failure = t;
    end();
  }

  @Override
  public void onComplete() {
    if (!ended) {
      end();
    }
  }

  private void end() {
    ended = true;
    parent.written(this);
  }

  void cancel() {
    cancelled = true;
    Subscription s = writing;
    if (s != null) {
      s.cancel();
    }
  }

  /** Passes what became of each row to its slot; drain loop only. */
  void settle() {
    List<InsertOutcome<T>> results = outcomes;
    if (failure != null) {
      settleAsUnknown(failure);
    } else if (results == null
        || results.size() != group.size()
        || results.stream().anyMatch(Objects::isNull)) {
      settleAsUnknown(
          new IllegalStateException(
              "of " + group.size() + " rows, their writer reported " + results));
    } else {
      for (int i = 0; i < results.size(); i++) {
        group.slots.get(i).settle(results.get(i));
      }
    }
  }

  private void settleAsUnknown(Throwable reason) {
    group.slots.forEach(slot -> slot.settle(new InsertOutcome.Unknown<>(slot.row, reason)));
  }

  @Override
  public @Nullable Object scanUnsafe(Attr key) {
    if (key == Attr.PARENT) {
      return writing;
    }
    if (key == Attr.ACTUAL) {
      return parent;
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
