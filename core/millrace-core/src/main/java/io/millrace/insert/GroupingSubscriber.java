package io.millrace.insert;

import io.millrace.insert.spi.PreparedRow;
import io.millrace.internal.SerialDrain;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.Disposables;
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
    implements CoreSubscriber<T>, Subscription {

  private final CoreSubscriber<? super RowGroup<T, P>> actual;
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

  private final GroupQueue<T, P> groups;

  /** Rows requested from the source that have not arrived. */
  private long outstanding;

  /** In nanoseconds; 0 once the scheduler has rejected a wake-up. */
  private long maxDelay;

  private boolean over;

  /** The thread in {@code source.request}. Not volatile: no other thread can find itself here. */
  private @Nullable Thread requester;

  GroupingSubscriber(
      CoreSubscriber<? super RowGroup<T, P>> actual,
      Function<T, P> prepare,
      InsertSettings<T> settings,
      BooleanSupplier stopped) {
    this.actual = actual;
    this.settings = settings;
    this.groups = new GroupQueue<>(prepare, settings);
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
    if (requester == Thread.currentThread()) {
      takeArrivals(); // those before it
      take(row);
    } else {
      arrivals.add(row);
      drain();
    }
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
  public void request(long n) {
    requested.accumulateAndGet(n, Operators::addCap);
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
        groups.closeAll();
      }
      emit();
      if (!ended && !isStopped()) {
        setTimer();
        askSource();
      }
    }
    if (isStopped() || (ended && !groups.hasFull())) {
      end();
    }
  }

  private void takeArrivals() {
    for (T row = arrivals.poll(); row != null; row = arrivals.poll()) {
      take(row);
    }
  }

  private void take(T row) {
    outstanding--;
    groups.add(row);
  }

  /** Emits full groups, and open ones that are due or cannot grow. */
  private void emit() {
    while (requested.get() > 0 && !isStopped()) {
      if (!groups.hasFull() && isFirstDue()) {
        groups.closeFirst();
      }
      RowGroup<T, P> group = groups.poll();
      if (group == null) {
        return;
      }
      requested.decrementAndGet();
      actual.onNext(group);
    }
  }

  /** Whether it has waited for {@code maxDelay}, or no row can arrive before a group is emitted. */
  private boolean isFirstDue() {
    return (!timed && groups.waited() >= maxDelay) || (outstanding == 0 && wanted() == 0);
  }

  /** How many rows to request now: at most those of a group; 0 if there is room for too few. */
  private long wanted() {
    int size = settings.groupSize();
    long room = Operators.multiplyCap(requested.get(), size) - groups.held - outstanding;
    return room < size - size / 4 ? 0 : Math.min(room, size);
  }

  private void askSource() {
    long rows = wanted();
    if (rows > 0) {
      outstanding += rows;
      requester = Thread.currentThread();
      source.request(rows);
      requester = null;
      drain(); // takes the rows that have come, and requests the next part
    }
  }

  private void setTimer() {
    long waited = timed || requested.get() == 0 ? -1 : groups.waited();
    if (waited >= 0) {
      timed = true; // it may come at once
      try {
        timer.replace(
            settings.scheduler().schedule(this::wake, maxDelay - waited, TimeUnit.NANOSECONDS));
      } catch (RuntimeException rejected) {
        timed = false;
        maxDelay = 0;
        drain();
      }
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
    groups.discard(currentContext());
    Operators.onDiscardQueueWithClear(arrivals, currentContext(), null);
  }
}
