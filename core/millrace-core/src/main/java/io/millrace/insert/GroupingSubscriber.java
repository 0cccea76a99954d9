package io.millrace.insert;

import static java.util.Objects.requireNonNull;

import io.millrace.insert.InsertOutcome.Rejected;
import io.millrace.insert.spi.PreparedRow;
import io.millrace.internal.SerialDrain;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.Scannable;
import reactor.core.publisher.Operators;
import reactor.util.concurrent.Queues;
import reactor.util.context.Context;

/**
 * Collects rows into groups. A group is emitted when it is full, when {@code maxDelay} has passed
 * since its first row, when the source has ended, or when no further row can arrive before a group
 * is emitted. A row that cannot be prepared becomes a rejected group of its own.
 *
 * <p>The drain loop does all work; the source, the subscriber and the timer record their signal and
 * call it.
 *
 * <p><b>Demand.</b> For each group that is requested, at most {@code groupSize} rows are requested
 * from the source or held here. So a subscriber that requests a group when another one is written
 * bounds all rows of the stream.
 */
final class GroupingSubscriber<T, P extends PreparedRow<T>> extends SerialDrain
    implements CoreSubscriber<T>, Subscription, Scannable {

  private final CoreSubscriber<? super RowGroup<T, P>> actual;
  private final Function<T, P> prepare;
  private final InsertSettings<T> settings;

  /** Whether to complete without another group. */
  private final BooleanSupplier stopped;

  private final Queue<T> arrivals = Queues.<T>unbounded().get();

  private Subscription source = Operators.emptySubscription();

  /** Groups requested and not emitted. */
  private final AtomicLong requested = new AtomicLong();

  private volatile boolean cancelled;

  /** Written before {@link #sourceDone}. */
  private @Nullable Throwable sourceError;

  private volatile boolean sourceDone;

  /** Whether a wake-up is set. It comes when the first open group is due, or earlier. */
  private volatile boolean timed;

  private final Disposable.Swap timer = Disposables.swap();

  // Used by the drain loop only.

  /** Groups that take rows, by shard, the one opened first at the front; none is full. */
  private final Map<Object, RowGroup<T, P>> open = new LinkedHashMap<>();

  private final Deque<RowGroup<T, P>> full = new ArrayDeque<>();

  /** Rows in {@link #open} and {@link #full}. */
  private long held;

  /** Rows requested from the source that have not arrived. */
  private long outstanding;

  private long arrived;

  /** In nanoseconds; 0 once the scheduler has rejected a wake-up. */
  private long maxDelay;

  private boolean over;

  GroupingSubscriber(
      CoreSubscriber<? super RowGroup<T, P>> actual,
      Function<T, P> prepare,
      InsertSettings<T> settings,
      BooleanSupplier stopped) {
    this.actual = actual;
    this.prepare = prepare;
    this.settings = settings;
    this.stopped = stopped;
    this.maxDelay = settings.maxDelay().toNanos();
  }

  @Override
  public Context currentContext() {
    return actual.currentContext();
  }

  @Override
  public void onSubscribe(Subscription subscription) {
    source = subscription;
    actual.onSubscribe(this);
  }

  @Override
  public void onNext(T row) {
    arrivals.add(row);
    drain();
  }

  @Override
  public void onError(Throwable failure) {
    if (isStopped()) {
      Operators.onErrorDropped(failure, currentContext());
    } else {
      sourceError = failure;
      onComplete();
    }
  }

  @Override
  public void onComplete() {
    sourceDone = true;
    drain();
  }

  @Override
  public void request(long groups) {
    requested.accumulateAndGet(groups, Operators::addCap);
    drain();
  }

  @Override
  public void cancel() {
    cancelled = true;
    source.cancel(); // at once: the loop may be in a source that blocks
    drain();
  }

  private boolean isStopped() {
    return cancelled || stopped.getAsBoolean();
  }

  @Override
  protected void drainOnce() {
    boolean ended = sourceDone; // before its last rows are taken
    if (!over && !isStopped()) {
      takeArrivals();
      if (ended) {
        closeAll();
      }
      emit();
      if (!ended && !isStopped()) {
        askSource();
        setTimer();
      }
    }
    if (isStopped() || (ended && full.isEmpty())) {
      end();
    }
  }

  private void takeArrivals() {
    for (T row = arrivals.poll(); row != null; row = arrivals.poll()) {
      outstanding--;
      arrived++;
      try {
        add(row);
      } catch (Throwable reason) {
        if (settings.isOrdered()) {
          closeAll(); // the rows before it
        }
        full.add(new RowGroup<>(arrived, 0, new Rejected<>(row, reason)));
      }
    }
  }

  /** Puts a row into its group. Calls functions of the user before anything is changed. */
  private void add(T row) {
    P prepared = prepare.apply(row);
    settings.requireWithin(prepared.cells(), prepared.bytes(), 1, row);
    Object shard = requireNonNull(settings.shard().apply(row), "the shard of a row is null");
    RowGroup<T, P> group = open.get(shard);
    if (group != null && !group.hasRoomFor(1, prepared.cells(), prepared.bytes(), settings)) {
      close(group);
      group = null;
    }
    if (group == null) {
      group = new RowGroup<>(arrived, now(), null);
      open.put(shard, group);
    }
    group.add(prepared);
    held++;
    if (group.rows.size() == settings.groupSize()) {
      close(group);
    }
  }

  /** Ends an open group. Does not look for its shard, whose methods are the user's. */
  private void close(RowGroup<T, P> group) {
    open.values().remove(group);
    full.add(group);
  }

  private void closeAll() {
    full.addAll(open.values());
    open.clear();
  }

  /** Emits full groups, and open ones that are due or cannot grow. */
  private void emit() {
    while (requested.get() > 0 && !isStopped()) {
      boolean canClose = full.isEmpty() && !open.isEmpty();
      if (canClose && ((!timed && untilDue() <= 0) || (outstanding == 0 && wanted() == 0))) {
        close(first());
      }
      RowGroup<T, P> group = full.poll();
      if (group == null) {
        return;
      }
      held -= group.rows.size();
      requested.decrementAndGet();
      actual.onNext(group);
    }
  }

  private RowGroup<T, P> first() {
    return open.values().iterator().next();
  }

  private long untilDue() {
    return maxDelay - (now() - first().openedAt);
  }

  private long now() {
    return settings.scheduler().now(TimeUnit.NANOSECONDS);
  }

  /** How many rows to request now: at most those of a group; 0 if there is room for too few. */
  private long wanted() {
    int size = settings.groupSize();
    long room = Operators.multiplyCap(requested.get(), size) - held - outstanding;
    return room < size - size / 4 ? 0 : Math.min(room, size);
  }

  private void askSource() {
    long rows = wanted();
    if (rows > 0) {
      outstanding += rows;
      source.request(rows);
      drain(); // takes the rows that have come, and requests the next part
    }
  }

  private void setTimer() {
    if (open.isEmpty() || requested.get() == 0 || timed) {
      return;
    }
    timed = true; // it may come at once
    try {
      timer.replace(settings.scheduler().schedule(this::wake, untilDue(), TimeUnit.NANOSECONDS));
    } catch (RejectedExecutionException rejected) {
      timed = false;
      maxDelay = 0;
      drain();
    }
  }

  private void wake() {
    timed = false;
    drain();
  }

  /** Ends the stream, unless it has ended, and discards what is left, also what comes later. */
  private void end() {
    if (!over) {
      over = true;
      timer.dispose();
      Throwable failure = sourceError;
      if (!sourceDone) {
        source.cancel();
      }
      if (!cancelled && failure != null) {
        actual.onError(failure);
      } else if (!cancelled) {
        actual.onComplete();
      } else if (failure != null) {
        Operators.onErrorDropped(failure, currentContext());
      }
    }
    closeAll();
    Operators.onDiscardQueueWithClear(full, currentContext(), null);
    Operators.onDiscardQueueWithClear(arrivals, currentContext(), null);
  }

  @Override
  public @Nullable Object scanUnsafe(Attr key) {
    return key == Attr.PARENT ? source : key == Attr.ACTUAL ? actual : null;
  }
}
