package io.millrace.insert;

import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.spi.PreparedRow;
import io.millrace.internal.OperatorLoop;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.concurrent.Queues;
import reactor.util.context.Context;

/**
 * One subscription to an {@link InsertFlux}.
 *
 * <p>Rows are grouped, started, emitted and requested only in the drain loop, by one thread at a
 * time. An exception from the user's functions or the writers becomes an outcome of rows.
 */
final class InsertSubscriber<T, P extends PreparedRow<T>, R> extends OperatorLoop<T, R> {

  /** The rows of a stream belong to no other; never changed. */
  private static final BitSet NOTHING_JOINED = new BitSet();

  private final GroupWriter<T, P> writer;
  private final InsertSettings<T> settings;
  private final Function<InsertOutcome<T>, R> result;
  private final SourceDemand demand;
  private final GroupTimer timer;

  /** Filled by the source's {@code onNext}, emptied by the drain loop. */
  private final Queue<T> arrivals;

  /** The group that ended last, with a reference to the one before. Taken by the drain loop. */
  private final AtomicReference<@Nullable Writing> written = new AtomicReference<>();

  private final OpenGroups<T, P> groups;
  private final OutputQueue<T> output;

  /** Null if the stream continues after a failure. */
  private final @Nullable InsertFailures<T> failures;

  /** The groups being written; drain loop only. */
  private final Set<Writing> writing = new HashSet<>();

  /**
   * Whether the loop is within the source's {@code request}. Rows that come then need no queue;
   * drain loop only.
   */
  private boolean requesting;

  /** Rows that were committed; drain loop only. */
  private long committed;

  /** A group that is written, or has ended. */
  private final class Writing extends GroupSubscriber<T, P> {

    /** The group that ended before this one; once the chain is reversed, the one after it. */
    @Nullable Writing endedBefore;

    Writing(RowGroup<T, P> group) {
      super(group);
    }

    @Override
    public Context currentContext() {
      return InsertSubscriber.this.currentContext();
    }

    @Override
    void written() {
      do {
        endedBefore = written.get();
      } while (!written.compareAndSet(endedBefore, this));
      drain();
    }

    @Override
    public @Nullable Object scanUnsafe(Attr key) {
      return key == Attr.ACTUAL ? InsertSubscriber.this : super.scanUnsafe(key);
    }
  }

  InsertSubscriber(
      CoreSubscriber<? super R> actual,
      GroupWriter<T, P> writer,
      InsertSettings<T> settings,
      boolean continueOnFailure,
      Function<InsertOutcome<T>, R> result) {
    super(actual);
    this.writer = writer;
    this.settings = settings;
    this.result = result;
    this.demand = new SourceDemand(settings);
    this.timer = new GroupTimer(settings.scheduler(), this::drain);
    this.arrivals = Queues.<T>get(settings.capacity()).get();
    this.groups = new OpenGroups<>(settings, timer);
    this.output = new OutputQueue<>(settings.isOrdered());
    this.failures = continueOnFailure ? null : new InsertFailures<>();
  }

  @Override
  public void onSubscribe(Subscription s) {
    super.onSubscribe(s);
    drain();
  }

  @Override
  public void onNext(T row) {
    if (sourceDone) {
      Operators.onNextDropped(row, currentContext());
      return;
    }
    if (isWithinDrain() && requesting && arrivals.isEmpty() && !finished) {
      arriveAtOnce(row);
    } else if (arrivals.offer(row)) {
      drain();
    } else {
      overflow(row);
    }
  }

  @Override
  protected void pass() {
    if (!finished) {
      work();
    }
    if (finished) {
      finish();
    }
  }

  private void work() {
    boolean noMoreArrivals = sourceDone;
    takeArrivals();
    takeWritten();
    emit();
    if (finished || terminateIfDone(noMoreArrivals) || hasFailed()) {
      return;
    }
    if (!sourceDone) {
      requesting = true;
      demand.replenish(source);
      requesting = false;
      if (mayNotWrite()) { // since the source was asked; the next pass ends the stream
        return;
      }
    }
    startGroups(noMoreArrivals || timer.isBroken());
    if (groups.hasOpen() && writing.size() < settings.concurrency() && !timer.isSet()) {
      timer.wakeIn(groups.untilDue());
    }
  }

  /** Whether the stream is to end before another group is written. */
  private boolean mayNotWrite() {
    return finished || hasFailed();
  }

  private boolean hasFailed() {
    return failures != null && !failures.isEmpty();
  }

  private void takeArrivals() {
    for (T row = arrivals.poll(); row != null; row = arrivals.poll()) {
      arrive(row);
    }
  }

  /**
   * Takes a row that comes within the source's {@code request}. Writes its group if that is full,
   * before the source emits the next row; drain loop only.
   */
  private void arriveAtOnce(T row) {
    if (demand.isUsedUp()) {
      overflow(row);
      return;
    }
    requesting = false; // the functions called from here may bring rows, too
    arrive(row);
    if (groups.hasFull()) {
      takeWritten(); // may free a writer
      emit(); // the subscriber may cancel
      startFullGroups();
    }
    requesting = true;
    drain();
  }

  private void arrive(T row) {
    long position = demand.rowArrived();
    if (hasFailed()) {
      discard(row);
    } else {
      addToGroup(row, position);
    }
  }

  /** Puts a row into its group, or rejects it. Calls functions of the user. */
  private void addToGroup(T row, long position) {
    RowSlot<T> slot = new RowSlot<>(row, position);
    output.arrived(slot);
    try {
      P prepared = writer.prepare(row);
      settings.requireWithin(prepared);
      groups.add(settings.shardOf(row), slot, prepared); // calls equals of the user's shard
    } catch (Throwable reason) {
      slot.settle(new InsertOutcome.Rejected<>(row, reason));
      settled(List.of(slot));
    }
  }

  private void takeWritten() {
    if (written.get() == null) {
      return;
    }
    Writing ended = inOrderOfEnding(written.getAndSet(null));
    while (ended != null) {
      writing.remove(ended);
      ended.settle();
      settled(ended.group.slots);
      ended = ended.endedBefore;
    }
  }

  /** Reverses the chain, so that it begins with the group that ended first. */
  private @Nullable Writing inOrderOfEnding(@Nullable Writing last) {
    Writing reversed = null;
    for (Writing each = last; each != null; ) {
      Writing before = each.endedBefore;
      each.endedBefore = reversed;
      reversed = each;
      each = before;
    }
    return reversed;
  }

  /**
   * Queues rows for emission. If they failed and that ends the stream, nothing more is sent to the
   * database.
   */
  private void settled(List<RowSlot<T>> slots) {
    int rows = 0;
    for (RowSlot<T> slot : slots) {
      if (slot.outcome instanceof Committed) {
        rows++;
      }
    }
    committed += rows;
    boolean failedBefore = hasFailed();
    if (failures != null && rows < slots.size()) {
      failures.takeFrom(slots);
    }
    slots.forEach(output::settled);
    if (hasFailed() && !failedBefore) {
      cancelSource();
      groups.clear(
          unsent -> {
            discard(unsent.row);
            unsent.drop();
          });
    }
  }

  private void emit() {
    long wanted = requested();
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
      produced(emitted);
    }
  }

  private boolean terminateIfDone(boolean noMoreArrivals) {
    if (!writing.isEmpty() || !output.isEmpty()) {
      return false;
    }
    if (failures != null && hasFailed()) {
      InsertFailedException failed = failures.toException(committed);
      failures.clear(reported -> {});
      Throwable upstream = takeSourceError();
      if (upstream != null) {
        failed.addSuppressed(upstream);
      }
      terminate(failed);
      return true;
    }
    if (noMoreArrivals && groups.isEmpty()) {
      terminate(takeSourceError());
      return true;
    }
    return false;
  }

  /**
   * Starts writing the groups that are ready. When all requested rows have arrived, no group can
   * grow before another one is written, so none has to wait for its delay.
   */
  private void startGroups(boolean noMoreRows) {
    while (writing.size() < settings.concurrency()) {
      RowGroup<T, P> group = groups.poll(noMoreRows, demand.isUsedUp());
      if (group == null) {
        return;
      }
      write(group);
    }
  }

  private void startFullGroups() {
    while (groups.hasFull() && !mayNotWrite() && writing.size() < settings.concurrency()) {
      write(groups.pollFull());
    }
  }

  private void write(RowGroup<T, P> group) {
    Writing subscriber = new Writing(group);
    writing.add(subscriber);
    Mono.defer(() -> writer.write(group.rows(), NOTHING_JOINED)).subscribe(subscriber);
  }

  /**
   * Ends the stream: stops the writers, signals the subscriber, and discards the rows that are held
   * or arrive later.
   */
  private void finish() {
    writing.forEach(GroupSubscriber::cancel);
    timer.dispose();
    if (mustSignalEnd()) {
      signalEnd();
    }
    discardAll();
    drop(takeSourceError());
  }

  private void discardAll() {
    Writing ended = written.getAndSet(null);
    while (ended != null) {
      ended.dropFailure();
      ended = ended.endedBefore;
    }
    for (Writing group : writing) {
      group.group.slots.forEach(slot -> discard(slot.row));
    }
    writing.clear();
    groups.clear(slot -> discard(slot.row));
    output.clear(this::discard);
    if (failures != null && hasFailed()) {
      drop(failures.toException(committed));
      failures.clear(this::discard);
    }
    Operators.onDiscardQueueWithClear(arrivals, currentContext(), null);
  }

  private void discard(T row) {
    Operators.onDiscard(row, currentContext());
  }

  @Override
  public @Nullable Object scanUnsafe(Attr key) {
    if (key == Attr.PREFETCH) {
      return settings.capacity();
    }
    if (key == Attr.RUN_STYLE) {
      return Attr.RunStyle.ASYNC;
    }
    return super.scanUnsafe(key);
  }
}
