package io.millrace.insert;

import io.millrace.insert.InsertOutcome.Rejected;
import io.millrace.insert.spi.PreparedRow;
import io.millrace.internal.SerialDrain;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;
import reactor.util.concurrent.Queues;
import reactor.util.context.Context;

/**
 * Collects rows into groups. A group is emitted when it is full, when {@code maxDelay} has passed
 * since its first row, when the source has ended, or when no further row can arrive before a group
 * is emitted. A row that cannot be prepared becomes a rejected group of its own.
 *
 * <p><b>Demand.</b> For each group that is requested, at most {@code groupSize} rows are requested
 * from the source or held here. So a subscriber that requests a group when another one is written
 * bounds all rows of the stream.
 */
final class GroupFlux<T, P extends PreparedRow<T>> extends FluxOperator<T, RowGroup<T, P>> {

  private final Function<? super T, ? extends P> prepare;
  private final InsertSettings<T> settings;
  private final BooleanSupplier stopped;

  /**
   * Creates the operator.
   *
   * @param prepare may throw, as may the functions of the settings
   * @param stopped whether to complete without another group, and to discard the rows held
   */
  GroupFlux(
      Flux<? extends T> source,
      Function<? super T, ? extends P> prepare,
      InsertSettings<T> settings,
      BooleanSupplier stopped) {
    super(source);
    this.prepare = prepare;
    this.settings = settings;
    this.stopped = stopped;
  }

  @Override
  public void subscribe(CoreSubscriber<? super RowGroup<T, P>> actual) {
    source.subscribe(new Grouping(actual));
  }

  /**
   * One subscription. The drain loop does all work; the source, the subscriber and the timer record
   * their signal and call it.
   */
  private final class Grouping extends SerialDrain
      implements CoreSubscriber<T>, Subscription, Scannable {

    @SuppressWarnings("rawtypes") // a class literal has no type arguments
    private static final AtomicLongFieldUpdater<GroupFlux.Grouping> REQUESTED =
        AtomicLongFieldUpdater.newUpdater(GroupFlux.Grouping.class, "requested");

    private final CoreSubscriber<? super RowGroup<T, P>> actual;
    private final Scheduler scheduler = settings.scheduler();
    private final Queue<T> arrivals = Queues.<T>unbounded().get();

    private Subscription source = Operators.emptySubscription();

    /** Groups requested and not emitted. */
    private volatile long requested;

    private volatile boolean cancelled;

    /** Written before {@link #sourceDone}. */
    private @Nullable Throwable sourceError;

    private volatile boolean sourceDone;

    /**
     * The thread that requests rows in the loop. Another pass follows, so a row that it brings
     * needs no call. Other threads may see an old value, but never themselves.
     */
    private @Nullable Thread requesting;

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

    private boolean over;

    /** Whether the scheduler has refused a wake-up. Then no row waits for others. */
    private boolean timerless;

    Grouping(CoreSubscriber<? super RowGroup<T, P>> actual) {
      this.actual = actual;
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
      if (requesting != Thread.currentThread()) {
        drain();
      }
    }

    @Override
    public void onError(Throwable failure) {
      sourceError = failure;
      onComplete();
    }

    @Override
    public void onComplete() {
      sourceDone = true;
      drain();
    }

    @Override
    public void request(long groups) {
      if (Operators.validate(groups)) {
        Operators.addCap(REQUESTED, this, groups);
        drain();
      }
    }

    @Override
    public void cancel() {
      cancelled = true;
      source.cancel();
      drain();
    }

    @Override
    protected void drainOnce() {
      boolean ended = sourceDone; // before its last rows are taken
      if (!isStopped()) {
        takeArrivals();
        if (ended) {
          closeAll();
        }
        emit(false);
        if (!ended) {
          askSource();
          emit(true);
          setTimer();
        }
      }
      if (isStopped() || (ended && full.isEmpty())) {
        end();
      }
    }

    private boolean isStopped() {
      return over || cancelled || stopped.getAsBoolean();
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
          full.add(RowGroup.rejected(arrived, new Rejected<>(row, reason)));
        }
      }
    }

    /** Puts a row into its group. Calls functions of the user before anything is changed. */
    private void add(T row) {
      P prepared = prepare.apply(row);
      settings.requireWithin(prepared);
      Object shard = settings.shardOf(row);
      RowGroup<T, P> group = open.get(shard);
      if (group != null && !group.hasRoomFor(prepared.cells(), prepared.bytes(), settings)) {
        close(group);
        group = null;
      }
      if (group == null) {
        group = new RowGroup<>(arrived, scheduler.now(TimeUnit.NANOSECONDS));
        open.put(shard, group);
      }
      group.add(prepared);
      held++;
      if (group.rows().size() == settings.groupSize()) {
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

    /** Emits full groups, and perhaps open ones that are due or cannot grow. */
    private void emit(boolean alsoOpen) {
      while (requested > 0 && !isStopped()) {
        if (full.isEmpty() && alsoOpen && !open.isEmpty() && (isDue() || outstanding == 0)) {
          close(isDue() ? first() : fullest());
        }
        RowGroup<T, P> group = full.poll();
        if (group == null) {
          return;
        }
        held -= group.rows().size();
        Operators.produced(REQUESTED, this, 1);
        actual.onNext(group);
      }
    }

    private RowGroup<T, P> first() {
      return open.values().iterator().next();
    }

    private RowGroup<T, P> fullest() {
      return Collections.max(open.values(), Comparator.comparingInt(group -> group.rows().size()));
    }

    /** Whether the first open group has waited long enough. Until a timer comes, none has. */
    private boolean isDue() {
      return timerless || (!timed && untilDue() <= 0);
    }

    private long untilDue() {
      long waited = scheduler.now(TimeUnit.NANOSECONDS) - first().openedAt;
      return settings.maxDelay().toNanos() - waited;
    }

    /** Requests rows for the groups that are requested, part by part; a source may answer now. */
    private void askSource() {
      int groupSize = settings.groupSize();
      long room = Operators.multiplyCap(requested, groupSize) - held - outstanding;
      if (room >= groupSize - groupSize / 4 && !isStopped()) {
        long rows = Math.min(room, groupSize);
        outstanding += rows;
        requesting = Thread.currentThread();
        source.request(rows);
        requesting = null;
        drain(); // takes the rows that have come, and requests the next part
      }
    }

    private void setTimer() {
      if (open.isEmpty() || requested == 0 || timed) {
        return;
      }
      timed = true; // it may come at once
      try {
        timer.replace(scheduler.schedule(this::wake, untilDue(), TimeUnit.NANOSECONDS));
      } catch (RejectedExecutionException disposed) {
        timed = false;
        timerless = true;
        drain();
      }
    }

    private void wake() {
      timed = false;
      drain();
    }

    /** Ends the stream, unless it has ended, and discards what is left, also what comes later. */
    private void end() {
      boolean signals = !over && !cancelled;
      over = true;
      timer.dispose();
      Throwable failure = null;
      if (sourceDone) {
        failure = sourceError;
        sourceError = null;
      } else {
        source.cancel();
      }
      if (failure != null && signals) {
        actual.onError(failure);
      } else if (failure != null) {
        Operators.onErrorDropped(failure, currentContext());
      } else if (signals) {
        actual.onComplete();
      }
      closeAll();
      Operators.onDiscardQueueWithClear(full, currentContext(), null);
      Operators.onDiscardQueueWithClear(arrivals, currentContext(), null);
    }

    @Override
    public @Nullable Object scanUnsafe(Attr key) {
      if (key == Attr.PARENT) {
        return source;
      }
      if (key == Attr.BUFFERED) {
        return (int) held;
      }
      if (key == Attr.CANCELLED) {
        return cancelled;
      }
      if (key == Attr.TERMINATED) {
        return over && !cancelled;
      }
      return key == Attr.ACTUAL ? actual : null;
    }
  }
}
