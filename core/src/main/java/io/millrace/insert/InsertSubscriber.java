package io.millrace.insert;

import io.millrace.insert.InsertOutcome.Committed;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.Scannable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.concurrent.Queues;
import reactor.util.context.Context;

/**
 * One subscription to an {@link InsertFlux}.
 *
 * <p>Every signal, of the source, a writer, the timer or the subscriber, leaves its trace in a
 * field or a queue and calls {@link #drain}. Whoever raises {@link #wip} from 0 runs the loop, and
 * runs it again for those who came meanwhile. Grouping, starting, emitting and requesting happen in
 * the loop alone, one thread at a time.
 */
final class InsertSubscriber<T, P extends GroupWriter.PreparedRow<T>, R>
    implements CoreSubscriber<T>, Subscription, Scannable {

  @SuppressWarnings("rawtypes")
  private static final AtomicIntegerFieldUpdater<InsertSubscriber> WIP =
      AtomicIntegerFieldUpdater.newUpdater(InsertSubscriber.class, "wip");

  @SuppressWarnings("rawtypes")
  private static final AtomicLongFieldUpdater<InsertSubscriber> REQUESTED =
      AtomicLongFieldUpdater.newUpdater(InsertSubscriber.class, "requested");

  private final CoreSubscriber<? super R> actual;
  private final GroupWriter<T, P> writer;
  private final InsertSettings<T> settings;
  private final Function<InsertOutcome<T>, R> result;
  private final SourceDemand demand;
  private final GroupTimer timer;

  /** Filled by the source's {@code onNext}, emptied by the drain loop. */
  private final Queue<T> arrivals;

  /** Filled by writers as they end, emptied by the drain loop. */
  private final Queue<GroupSubscriber<T, P>> written =
      Queues.<GroupSubscriber<T, P>>unboundedMultiproducer().get();

  private final OpenGroups<T, P> groups;
  private final OutputLine<T> output;

  /** Null where the stream goes on after a failure. */
  private final @Nullable InsertFailures<T> failures;

  /** The groups being written; drain loop only. */
  private final Set<GroupSubscriber<T, P>> writing = new HashSet<>();

  /** Set once by the source's {@code onSubscribe}, before the subscriber can know of this. */
  private Subscription source = Operators.emptySubscription();

  /** Raised by every signal, lowered by the drain loop; above 0, a thread is in the loop. */
  @SuppressWarnings("UnusedVariable") // through WIP
  private volatile int wip;

  /** Raised by the subscriber's {@code request}, lowered by the drain loop as it emits. */
  private volatile long requested;

  /** Written by the source's terminal signal, before {@link #sourceDone}. */
  private @Nullable Throwable sourceError;

  /** Written once by the source's terminal signal, after its last row. */
  private volatile boolean sourceDone;

  /** Written by the subscriber's {@code cancel}, or by the drain loop before it terminates. */
  private volatile boolean finished;

  /** Written by the drain loop before {@link #finished}; tells an end from a cancellation. */
  private volatile boolean terminated;

  /** Rows that were committed; drain loop only. */
  private long committed;

  InsertSubscriber(
      CoreSubscriber<? super R> actual,
      GroupWriter<T, P> writer,
      InsertSettings<T> settings,
      boolean carryOn,
      Function<InsertOutcome<T>, R> result) {
    this.actual = actual;
    this.writer = writer;
    this.settings = settings;
    this.result = result;
    this.demand = new SourceDemand(settings);
    this.timer = new GroupTimer(settings.scheduler(), this::drain);
    this.arrivals = Queues.<T>get(settings.capacity()).get();
    this.groups = new OpenGroups<>(settings);
    this.output = new OutputLine<>(settings.isOrdered());
    this.failures = carryOn ? null : new InsertFailures<>();
  }

  @Override
  public Context currentContext() {
    return actual.currentContext();
  }

  @Override
  public void onSubscribe(Subscription s) {
    if (source != Operators.emptySubscription()) {
      s.cancel();
      Operators.reportSubscriptionSet();
      return;
    }
    source = s;
    actual.onSubscribe(this);
    drain();
  }

  @Override
  public void onNext(T row) {
    if (sourceDone) {
      Operators.onNextDropped(row, currentContext());
      return;
    }
    if (!arrivals.offer(row)) {
      Throwable overflow =
          Operators.onOperatorError(
              source,
              Exceptions.failWithOverflow("rows came that were not requested"),
              row,
              currentContext());
      Operators.onDiscard(row, currentContext());
      onError(overflow);
      return;
    }
    drain();
  }

  @Override
  public void onError(Throwable failure) {
    if (sourceDone || finished) {
      Operators.onErrorDropped(failure, currentContext());
      return;
    }
    sourceError = failure;
    sourceDone = true;
    drain();
  }

  @Override
  public void onComplete() {
    if (!sourceDone) {
      sourceDone = true;
      drain();
    }
  }

  /** Called by a group's writer when it ends. */
  void written(GroupSubscriber<T, P> group) {
    written.offer(group);
    drain();
  }

  @Override
  public void request(long n) {
    if (Operators.validate(n)) {
      Operators.addCap(REQUESTED, this, n);
      drain();
    }
  }

  @Override
  public void cancel() {
    if (!finished) {
      finished = true;
      source.cancel();
      drain();
    }
  }

  private void drain() {
    if (WIP.getAndIncrement(this) != 0) {
      return;
    }
    int missed = 1;
    do {
      if (!finished) {
        work();
      }
      if (finished) {
        discardAll();
      }
      missed = WIP.addAndGet(this, -missed);
    } while (missed != 0);
  }

  private void work() {
    boolean noMoreArrivals = sourceDone;
    takeArrivals();
    takeWritten();
    emit();
    if (finished || terminateIfOver(noMoreArrivals) || hasFailed()) {
      return;
    }
    if (!sourceDone) {
      demand.replenish(source);
    }
    startGroups(noMoreArrivals || timer.isBroken());
    if (groups.hasOpen() && writing.size() < settings.concurrency()) {
      timer.wakeIn(groups.untilDue(timer.now()));
    }
  }

  private boolean hasFailed() {
    return failures != null && !failures.isEmpty();
  }

  private void takeArrivals() {
    for (T row = arrivals.poll(); row != null; row = arrivals.poll()) {
      demand.rowArrived();
      if (hasFailed()) {
        discard(row);
      } else {
        take(row);
      }
    }
  }

  /** Puts a row into its group, or rejects it; the functions called here are the user's. */
  private void take(T row) {
    RowSlot<T> slot = new RowSlot<>(row);
    output.arrived(slot);
    try {
      P prepared = writer.prepare(row);
      requireWithin("cells", prepared.cells(), settings.maxCells(), row);
      requireWithin("bytes", prepared.bytes(), settings.maxBytes(), row);
      groups.add(settings.shardOf(row), slot, prepared, timer.now()); // calls the shard's equals
    } catch (Throwable reason) {
      Exceptions.throwIfJvmFatal(reason);
      slot.settle(new InsertOutcome.Rejected<>(row, reason));
      settled(List.of(slot));
    }
  }

  private static void requireWithin(String what, long size, long limit, Object row) {
    if (size > limit) {
      throw new RowTooLargeException(what, size, limit, row);
    }
  }

  private void takeWritten() {
    for (GroupSubscriber<T, P> ended = written.poll(); ended != null; ended = written.poll()) {
      writing.remove(ended);
      ended.settle();
      settled(ended.group.slots);
    }
  }

  /** Lines rows up for emission; if they failed and that ends the stream, nothing more is sent. */
  private void settled(List<RowSlot<T>> slots) {
    for (RowSlot<T> slot : slots) {
      if (slot.outcome instanceof Committed) {
        committed++;
      }
    }
    boolean failedBefore = hasFailed();
    if (failures != null) {
      failures.takeFrom(slots);
    }
    slots.forEach(output::settled);
    if (hasFailed() && !failedBefore) {
      source.cancel();
      groups.clear(
          unsent -> {
            discard(unsent.row);
            unsent.drop();
            output.settled(unsent);
          });
    }
  }

  private void emit() {
    long wanted = requested;
    long emitted = 0;
    for (RowSlot<T> slot = output.peek(); slot != null && !finished; slot = output.peek()) {
      InsertOutcome<T> outcome = slot.outcome;
      if (outcome != null) {
        if (emitted == wanted) {
          break;
        }
        emitted++;
      }
      output.remove();
      demand.rowGone();
      if (outcome != null) {
        actual.onNext(result.apply(outcome));
      }
    }
    if (emitted != 0) {
      Operators.produced(REQUESTED, this, emitted);
    }
  }

  private boolean terminateIfOver(boolean noMoreArrivals) {
    if (!writing.isEmpty() || !output.isEmpty()) {
      return false;
    }
    if (failures != null && hasFailed()) {
      InsertFailedException failure = failures.toException(committed);
      Throwable upstream = sourceDone ? sourceError : null;
      if (upstream != null) {
        failure.addSuppressed(upstream);
      }
      terminate(failure);
      return true;
    }
    if (noMoreArrivals && groups.isEmpty()) {
      terminate(sourceError);
      return true;
    }
    return false;
  }

  private void terminate(@Nullable Throwable failure) {
    terminated = true;
    finished = true;
    if (failure == null) {
      actual.onComplete();
    } else {
      actual.onError(failure);
    }
  }

  /**
   * Starts what may be written. When all that was asked for has arrived, no group can grow until
   * another one is written, and none has to wait for its delay.
   */
  private void startGroups(boolean noMoreRows) {
    while (writing.size() < settings.concurrency()) {
      RowGroup<T, P> group = groups.poll(timer.now(), noMoreRows, demand.isUsedUp());
      if (group == null) {
        return;
      }
      GroupSubscriber<T, P> subscriber = new GroupSubscriber<>(this, group);
      writing.add(subscriber);
      Mono.defer(() -> writer.write(group.rows())).subscribe(subscriber);
    }
  }

  private void discardAll() {
    timer.dispose();
    for (GroupSubscriber<T, P> group : writing) {
      group.cancel();
      group.group.slots.forEach(slot -> discard(slot.row));
    }
    writing.clear();
    written.clear();
    groups.clear(slot -> discard(slot.row));
    output.clear(this::discard);
    if (failures != null && !terminated) { // an error has taken them along
      failures.clear(this::discard);
    }
    Operators.onDiscardQueueWithClear(arrivals, currentContext(), null);
  }

  private void discard(T row) {
    Operators.onDiscard(row, currentContext());
  }

  @Override
  public @Nullable Object scanUnsafe(Attr key) {
    if (key == Attr.PARENT) {
      return source;
    }
    if (key == Attr.ACTUAL) {
      return actual;
    }
    if (key == Attr.PREFETCH) {
      return settings.capacity();
    }
    if (key == Attr.REQUESTED_FROM_DOWNSTREAM) {
      return requested;
    }
    if (key == Attr.ERROR) {
      return sourceDone ? sourceError : null;
    }
    if (key == Attr.TERMINATED) {
      return terminated;
    }
    if (key == Attr.CANCELLED) {
      return finished && !terminated;
    }
    if (key == Attr.RUN_STYLE) {
      return Attr.RunStyle.ASYNC;
    }
    return null;
  }
}
