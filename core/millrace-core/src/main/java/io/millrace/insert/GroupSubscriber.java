package io.millrace.insert;

import io.millrace.insert.spi.PreparedRow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** A group being written. Its end is reported once, and each of its rows gets an outcome. */
final class GroupSubscriber<T, P extends PreparedRow<T>>
    implements CoreSubscriber<List<InsertOutcome<T>>>, Scannable {

  @SuppressWarnings("rawtypes")
  private static final AtomicIntegerFieldUpdater<GroupSubscriber> ENDED =
      AtomicIntegerFieldUpdater.newUpdater(GroupSubscriber.class, "ended");

  private final InsertSubscriber<T, P, ?> parent;
  final RowGroup<T, P> group;

  /** Written by the writer's signals, before the group is reported; then read by the drain loop. */
  private @Nullable List<InsertOutcome<T>> outcomes;

  private @Nullable Throwable failure;

  /** 1 once the group is reported. Set by the writer's first terminal signal, on any thread. */
  private volatile int ended;

  /**
   * The group that ended before this one; once the chain is reversed, the one after it; see {@code
   * InsertSubscriber.written}.
   */
  @Nullable GroupSubscriber<T, P> endedBefore;

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

  /**
   * Starts writing the group. If the publisher throws, which is not allowed, the group ends with
   * that error.
   */
  void start(Mono<List<InsertOutcome<T>>> write) {
    try {
      write.subscribe(this);
    } catch (Throwable thrown) {
      fail(thrown);
    }
  }

  private void fail(Throwable thrown) {
    stopWriter();
    onError(thrown);
  }

  @Override
  public void onSubscribe(Subscription s) {
    if (!Operators.validate(writing, s)) {
      return;
    }
    writing = s;
    if (cancelled) {
      s.cancel();
      return;
    }
    try {
      s.request(Long.MAX_VALUE);
    } catch (Throwable thrown) {
      fail(thrown);
    }
  }

  @Override
  public void onNext(List<InsertOutcome<T>> result) {
    outcomes = result;
  }

  @Override
  public void onError(Throwable t) {
    if (cancelled || !ENDED.compareAndSet(this, 0, 1)) {
      parent.drop(t);
      return;
    }
    failure = t;
    parent.written(this);
  }

  @Override
  public void onComplete() {
    if (ENDED.compareAndSet(this, 0, 1)) {
      parent.written(this);
    }
  }

  /** Throws nothing; drain loop only. */
  void cancel() {
    cancelled = true;
    stopWriter();
  }

  private void stopWriter() {
    Subscription s = writing;
    if (s != null) {
      try {
        s.cancel();
      } catch (Throwable thrown) {
        parent.drop(thrown);
      }
    }
  }

  /** Reports the failure of a group whose rows will not be emitted; drain loop only. */
  void dropFailure() {
    if (failure != null) {
      parent.drop(failure);
    }
  }

  /** Passes the outcome of each row to its slot; drain loop only. */
  void settle() {
    Throwable reason = failure;
    List<InsertOutcome<T>> reported = List.of();
    if (reason == null) {
      try {
        reported = outcomes == null ? reported : new ArrayList<>(outcomes);
        reason = contractViolation(reported);
      } catch (Throwable thrown) {
        reason = thrown;
      }
    }
    if (reason != null) {
      settleAsUnknown(reason);
      return;
    }
    for (int i = 0; i < reported.size(); i++) {
      group.slots.get(i).settle(reported.get(i));
    }
  }

  private @Nullable Throwable contractViolation(List<InsertOutcome<T>> reported) {
    int known = reported.size() - Collections.frequency(reported, null);
    return known == group.size() && reported.size() == group.size()
        ? null
        : new IllegalStateException(
            "of "
                + group.size()
                + " rows, their writer reported what became of "
                + known
                + (reported.size() == known
                    ? ""
                    : ", and " + (reported.size() - known) + " nulls"));
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
      return ended != 0;
    }
    if (key == Attr.RUN_STYLE) {
      return Attr.RunStyle.ASYNC;
    }
    return null;
  }
}
