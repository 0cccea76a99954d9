package io.millrace.insert;

import io.millrace.insert.RowNotAcceptedException.Reason;
import io.millrace.insert.spi.PreparedRow;
import io.millrace.internal.ContextScope;
import io.millrace.internal.GuardedCall;
import io.millrace.internal.RowContexts;
import io.millrace.internal.SerialDrain;
import java.time.Duration;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/**
 * A {@link RowWriter}: a queue of calls, from which the drain loop makes groups, as many at a time
 * as transactions may be under way.
 *
 * <p>The thread that brings the answer for a group first runs the loop, which starts the next
 * transaction, and then tells the callers of the group, outside the loop. So what callers do with
 * an answer holds up those behind them in their group, and no other.
 *
 * <p><b>Invariant.</b> {@link #waiting} counts the calls in the queue that have not left it: a call
 * counts itself before it is queued, and the thread that moves it on counts it down. {@link #open}
 * counts the groups from their start until their callers are told. So a shutdown that finds none of
 * either, after it has refused new calls, has missed none.
 */
final class SharedCommits<T, P extends PreparedRow<T>> extends SerialDrain
    implements RowWriter<T>, GroupOwner<T, P> {

  /** The queue is swept when more calls than this, and more than wait, have left it. */
  private static final int TOLERATED_DEPARTED = 64;

  /** See {@link #room}. */
  private static final int ROOM = 3 * PASS;

  private static final long NO_CLOCK = Long.MIN_VALUE;
  private static final long NEVER = Long.MAX_VALUE / 2;

  private final GroupWriter<T, P> writer;
  private final InsertSettings<T> settings;
  private final int maxWaiting;
  private final Duration acquireTimeout;
  private final Scheduler scheduler;
  private final GroupTimer timer;

  private final Queue<WriteCall<T, P>> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();

  /** About how many calls in the queue have left it. */
  private final AtomicInteger departed = new AtomicInteger();

  /** How many transactions are under way. */
  private final AtomicInteger underWay = new AtomicInteger();

  /** How many groups have callers that were not told yet. */
  private final AtomicInteger open = new AtomicInteger();

  private final Sinks.Empty<Void> end = Sinks.empty();

  private volatile boolean closing;

  SharedCommits(
      GroupWriter<T, P> writer,
      InsertSettings<T> settings,
      int maxWaiting,
      Duration acquireTimeout) {
    this.writer = writer;
    this.settings = settings;
    this.maxWaiting = maxWaiting;
    this.acquireTimeout = acquireTimeout;
    this.scheduler = settings.scheduler();
    this.timer = new GroupTimer(scheduler, this::drain);
  }

  @Override
  public Mono<T> write(T row) {
    return new WriteMono(Objects.requireNonNull(row, "row")).assembled();
  }

  private final class WriteMono extends Mono<T> implements Scannable {

    private final T row;

    WriteMono(T row) {
      this.row = row;
    }

    /** This publisher after Reactor's assembly hooks. */
    Mono<T> assembled() {
      return onAssembly(this);
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
      begin(actual, row);
    }

    @Override
    public @Nullable Object scanUnsafe(Attr key) {
      return key == Attr.RUN_STYLE ? Attr.RunStyle.ASYNC : null;
    }
  }

  private void begin(CoreSubscriber<? super T> actual, T row) {
    AtomicReference<@Nullable P> prepared = new AtomicReference<>();
    try {
      ContextScope.run(actual::currentContext, () -> prepared.set(writer.prepare(row)));
      settings.requireWithin(Objects.requireNonNull(prepared.get(), "the prepared row is null"));
    } catch (Throwable reason) {
      Operators.error(
          actual, InsertFailedException.ofOne(row, false, GuardedCall.signalled(reason)));
      return;
    }
    actual.onSubscribe(new WriteCall<>(this, actual, row, Objects.requireNonNull(prepared.get())));
  }

  /** Overflows now if this thread has no room for the loop. */
  static void needStack() {
    needStack(ROOM);
  }

  /** Queues a call that was requested. */
  void enqueue(WriteCall<T, P> call) {
    long now = acquireTimeout.isZero() ? NO_CLOCK : now();
    long until = now == NO_CLOCK ? NEVER : now + acquireTimeout.toNanos();
    boolean place = takePlace();
    if (closing) {
      if (place) {
        givePlaceUp();
      }
      call.refuse(new RowNotAcceptedException(Reason.DISPOSED, "the writer is disposed"));
    } else if (!place) {
      call.refuse(
          new RowNotAcceptedException(
              Reason.FULL, maxWaiting + " rows wait to be written, as many as maxWaiting allows"));
    } else if (call.startWaiting(until)) {
      add(call);
      drain();
    } else {
      givePlaceUp();
    }
  }

  private void add(WriteCall<T, P> call) {
    try {
      queue.add(call);
    } catch (Throwable outOfMemory) {
      if (call.leave()) {
        givePlaceUp();
        GuardedCall.error(call.actual, outOfMemory);
      }
    }
  }

  private boolean takePlace() {
    for (; ; ) {
      int taken = waiting.get();
      if (taken >= maxWaiting) {
        return false;
      }
      if (waiting.compareAndSet(taken, taken + 1)) {
        return true;
      }
    }
  }

  private void givePlaceUp() {
    if (waiting.decrementAndGet() == 0 && closing) {
      drain();
    }
  }

  /** A call left the queue. */
  void departed() {
    departed.incrementAndGet();
    givePlaceUp();
    if (isSweepDue()) {
      drain();
    }
  }

  private boolean isSweepDue() {
    int left = departed.get();
    int waits = waiting.get();
    return left > 0 && (waits == 0 || left > Math.max(TOLERATED_DEPARTED, waits));
  }

  @Override
  public void written(GroupSubscriber<T, P> group) {
    underWay.decrementAndGet();
    try {
      drain();
    } finally {
      deliver(group);
    }
  }

  private void deliver(GroupSubscriber<T, P> group) {
    GuardedCall.run(group::settle, this::drop);
    for (RowSlot<T> slot : group.group.slots) {
      WriteCall<T, P> call = call(slot);
      GuardedCall.run(call::deliver, thrown -> GuardedCall.error(call.actual, thrown));
    }
    if (open.decrementAndGet() == 0 && closing) {
      drain();
    }
  }

  @Override
  public void drop(Throwable late) {
    GuardedCall.drop(late, Context::empty);
  }

  /** Those of the rows' subscribers are in {@link RowContexts}. */
  @Override
  public Context currentContext() {
    return Context.empty();
  }

  @Override
  protected Scheduler scheduler() {
    return scheduler;
  }

  /** With room for what the start of a transaction calls, and a caller that writes again. */
  @Override
  protected int room() {
    return ROOM;
  }

  @Override
  protected void drainOnce() {
    if (isSweepDue()) {
      departed.set(0);
      queue.removeIf(call -> !call.isWaiting());
    }
    while (underWay.get() < settings.concurrency()) {
      RowGroup<T, P> group = nextGroup();
      if (group.size() == 0) {
        break;
      }
      start(group);
    }
    refuseOverdue();
    wakeForTheFirst();
    if (closing && waiting.get() == 0 && open.get() == 0) {
      timer.dispose();
      GuardedCall.run(end::tryEmitEmpty, this::drop);
    }
  }

  /** The first call that waits; null if there is none. */
  private @Nullable WriteCall<T, P> first() {
    WriteCall<T, P> call = queue.peek();
    while (call != null && !call.isWaiting()) {
      queue.poll();
      call = queue.peek();
    }
    return call;
  }

  /** As many rows from the front of the queue as a group holds; perhaps none. */
  private RowGroup<T, P> nextGroup() {
    RowGroup<T, P> group = new RowGroup<>(0);
    for (WriteCall<T, P> call = first(); call != null; call = first()) {
      if (group.size() == settings.groupSize()
          || (group.size() > 0 && !group.hasRoomFor(call.prepared, settings))) {
        break;
      }
      group.makeRoom(); // once it is taken, nothing may fail
      queue.poll();
      if (call.take()) {
        waiting.decrementAndGet();
        group.add(call, call.prepared);
      }
    }
    return group;
  }

  private void start(RowGroup<T, P> group) {
    open.incrementAndGet();
    underWay.incrementAndGet();
    GroupSubscriber<T, P> subscriber = new GroupSubscriber<>(this, group);
    try {
      RowContexts contexts = new RowContexts();
      for (RowSlot<T> slot : group.slots) {
        WriteCall<T, P> call = call(slot);
        contexts.put(call.prepared, call.actual::currentContext);
      }
      GuardedCall.mono(() -> writer.write(group.rows()).contextWrite(contexts::writeTo))
          .subscribe(subscriber);
    } catch (Throwable thrown) {
      if (!subscriber.hasEnded()) {
        subscriber.onError(GuardedCall.signalled(thrown));
      }
    }
  }

  /** All slots of its groups are calls. */
  @SuppressWarnings("unchecked")
  private WriteCall<T, P> call(RowSlot<T> slot) {
    return (WriteCall<T, P>) slot;
  }

  /** Those that were queued first are due first, but for the time that a thread takes to queue. */
  private void refuseOverdue() {
    WriteCall<T, P> call = acquireTimeout.isZero() ? null : first();
    if (call == null) {
      return;
    }
    for (long now = now(); call != null && isOverdue(call, now); call = first()) {
      RowNotAcceptedException refusal =
          new RowNotAcceptedException(
              Reason.TIMED_OUT,
              "the row waited for its transaction for the acquireTimeout of " + acquireTimeout);
      queue.poll();
      if (call.leave()) {
        waiting.decrementAndGet();
        WriteCall<T, P> overdue = call;
        GuardedCall.run(() -> overdue.actual.onError(refusal), this::drop);
      }
    }
  }

  private static boolean isOverdue(WriteCall<?, ?> call, long now) {
    return now != NO_CLOCK && call.deadline() - now <= 0;
  }

  private void wakeForTheFirst() {
    WriteCall<T, P> call = acquireTimeout.isZero() ? null : first();
    if (call != null && !timer.isSet()) {
      long now = now();
      timer.wakeIn(now == NO_CLOCK ? acquireTimeout.toNanos() : call.deadline() - now);
    }
  }

  /** Without a clock there are no timeouts. */
  private long now() {
    return GuardedCall.get(timer::now, thrown -> NO_CLOCK);
  }

  /** For tests: how many calls the queue holds, those that have left it included. */
  int queueLength() {
    return queue.size();
  }

  @Override
  public Mono<Void> disposeLater() {
    return Mono.defer(
        () -> {
          closing = true;
          GuardedCall.run(this::drain, this::drop);
          return end.asMono();
        });
  }

  @Override
  public boolean isDisposed() {
    return closing;
  }
}
