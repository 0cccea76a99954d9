package io.millrace.insert;

import io.millrace.insert.RowNotAcceptedException.Reason;
import io.millrace.insert.spi.PreparedRow;
import io.millrace.internal.GuardedCall;
import io.millrace.internal.RowContexts;
import io.millrace.internal.SerialDrain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.publisher.Sinks;
import reactor.util.context.Context;

/**
 * A {@link RowWriter}: a queue of calls, from which the drain loop makes groups, as many at a time
 * as transactions may be under way.
 *
 * <p>A pass starts the next transactions before it tells the callers of the last ones: what they do
 * with the answer holds up no other row.
 *
 * <p><b>Invariant.</b> {@link #waiting} counts the calls in the queue that have not left it: a call
 * counts itself before it is queued, and the thread that moves it on counts it down. So a shutdown
 * that finds none, after it has refused new ones, has missed none.
 */
final class SharedCommits<T, P extends PreparedRow<T>> extends SerialDrain
    implements RowWriter<T>, GroupOwner<T, P> {

  /** The queue is swept when more calls than this, and more than wait, have left it. */
  private static final int TOLERATED_DEPARTED = 64;

  private final GroupWriter<T, P> writer;
  private final InsertSettings<T> settings;
  private final int maxWaiting;
  private final Duration acquireTimeout;
  private final GroupTimer timer;

  private final Queue<WriteCall<T, P>> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();

  /** About how many calls in the queue have left it. */
  private final AtomicInteger departed = new AtomicInteger();

  /** Groups that have ended, for the drain loop. */
  private final Queue<GroupSubscriber<T, P>> ended = new ConcurrentLinkedQueue<>();

  /** The groups that are being written. Drain loop only. */
  private final Set<GroupSubscriber<T, P>> writing = new HashSet<>();

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
    this.timer = new GroupTimer(settings.scheduler(), this::drain);
  }

  @Override
  public Mono<T> write(T row) {
    return new WriteMono(Objects.requireNonNull(row, "row")).assembled();
  }

  private final class WriteMono extends Mono<T> {

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
  }

  private void begin(CoreSubscriber<? super T> actual, T row) {
    P prepared;
    try {
      prepared = writer.prepare(row);
      settings.requireWithin(prepared);
    } catch (Throwable reason) {
      Operators.error(
          actual, InsertFailedException.ofOne(row, false, GuardedCall.signalled(reason)));
      return;
    }
    actual.onSubscribe(new WriteCall<>(this, actual, row, prepared));
  }

  /** Queues a call that was requested. */
  void enqueue(WriteCall<T, P> call) {
    if (!takePlace()) {
      call.refuse(
          new RowNotAcceptedException(
              Reason.FULL, maxWaiting + " rows wait to be written, as many as maxWaiting allows"));
    } else if (closing) {
      givePlaceUp();
      call.refuse(new RowNotAcceptedException(Reason.DISPOSED, "the writer is disposed"));
    } else if (call.startWaiting(timer.now() + acquireTimeout.toNanos())) {
      queue.add(call);
      drain();
    } else {
      givePlaceUp();
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
    boolean due = departed.incrementAndGet() > Math.max(TOLERATED_DEPARTED, waiting.get());
    givePlaceUp();
    if (due) {
      drain();
    }
  }

  @Override
  public void written(GroupSubscriber<T, P> group) {
    ended.add(group);
    drain();
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
  protected void drainOnce() {
    if (departed.get() > Math.max(TOLERATED_DEPARTED, waiting.get())) {
      departed.set(0);
      queue.removeIf(call -> !call.isWaiting());
    }
    List<GroupSubscriber<T, P>> done = new ArrayList<>();
    for (GroupSubscriber<T, P> each = ended.poll(); each != null; each = ended.poll()) {
      writing.remove(each);
      done.add(each);
    }
    refuseOverdue();
    while (writing.size() < settings.concurrency()) {
      RowGroup<T, P> group = nextGroup();
      if (group == null) {
        break;
      }
      start(group);
    }
    done.forEach(this::deliver);
    wakeForTheFirst();
    if (closing && waiting.get() == 0 && writing.isEmpty() && ended.isEmpty()) {
      timer.dispose();
      end.tryEmitEmpty();
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

  /** Calls are in the order of their deadlines: all may wait equally long. */
  private void refuseOverdue() {
    if (acquireTimeout.isZero()) {
      return;
    }
    long now = timer.now();
    for (WriteCall<T, P> call = first();
        call != null && call.deadline() - now <= 0;
        call = first()) {
      queue.poll();
      refuse(call);
    }
  }

  private void refuse(WriteCall<T, P> overdue) {
    GuardedCall.run(
        () -> {
          if (overdue.refuse(
              new RowNotAcceptedException(
                  Reason.TIMED_OUT,
                  "the row waited for its transaction for the acquireTimeout of "
                      + acquireTimeout))) {
            waiting.decrementAndGet();
          }
        },
        this::drop);
  }

  /** As many rows from the front of the queue as a group holds; null if none waits. */
  private @Nullable RowGroup<T, P> nextGroup() {
    RowGroup<T, P> group = null;
    for (WriteCall<T, P> call = first(); call != null; call = first()) {
      if (group != null
          && (group.size() == settings.groupSize() || !group.hasRoomFor(call.prepared, settings))) {
        break;
      }
      queue.poll();
      if (call.take()) {
        waiting.decrementAndGet();
        group = group == null ? new RowGroup<>(0) : group;
        group.add(call, call.prepared);
      }
    }
    return group;
  }

  private void start(RowGroup<T, P> group) {
    GroupSubscriber<T, P> subscriber = new GroupSubscriber<>(this, group);
    writing.add(subscriber);
    RowContexts contexts = new RowContexts();
    for (RowSlot<T> slot : group.slots) {
      WriteCall<T, P> call = call(slot);
      contexts.put(call.prepared, call.actual::currentContext);
    }
    subscriber.start(
        GuardedCall.mono(() -> writer.write(group.rows())).contextWrite(contexts::writeTo));
  }

  private void deliver(GroupSubscriber<T, P> group) {
    group.settle();
    for (RowSlot<T> slot : group.group.slots) {
      GuardedCall.run(call(slot)::deliver, this::drop);
    }
  }

  /** All slots of its groups are calls. */
  @SuppressWarnings("unchecked")
  private WriteCall<T, P> call(RowSlot<T> slot) {
    return (WriteCall<T, P>) slot;
  }

  private void wakeForTheFirst() {
    WriteCall<T, P> call = acquireTimeout.isZero() ? null : first();
    if (call != null && !timer.isSet()) {
      timer.wakeIn(call.deadline() - timer.now());
    }
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
          drain();
          return end.asMono();
        });
  }

  @Override
  public boolean isDisposed() {
    return closing;
  }
}
