package io.millrace.insert;

import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.InsertOutcome.Rejected;
import io.millrace.insert.RowNotAcceptedException.Reason;
import io.millrace.insert.RowWriterMetricsRecorder.Outcome;
import io.millrace.insert.spi.PreparedRow;
import io.millrace.internal.Recorders;
import io.millrace.internal.SerialDrain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Operators;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.util.Logger;
import reactor.util.Loggers;
import reactor.util.context.Context;

/**
 * A {@link RowWriter}: a queue of calls, from which the drain loop makes groups, as many at a time
 * as transactions may be under way.
 *
 * <p>The thread that brings the answer for a group first runs the loop, which starts the next
 * transaction, and then signals the callers of the group, outside the loop. So what a caller does
 * with its answer delays those behind it in its group, and no other.
 *
 * <p>The loop runs on the scheduler or on the thread of an answer, and its transactions have an
 * empty Context. So the functions that number a row see no ThreadLocals of a caller, unless the
 * scheduler runs tasks on the thread that schedules them, is shut down, or copies ThreadLocals.
 *
 * <p><b>Invariant.</b> {@link #waiting} counts the rows of the calls that wait: a call counts its
 * rows before it is queued, and the thread that moves it on from {@code WAITING} counts them down.
 * {@link #open} counts the groups from their start until their callers are signalled. So a shutdown
 * that finds both at 0, after it has begun to refuse new calls, has missed none.
 */
final class GroupingRowWriter<T, P extends PreparedRow<T>> extends SerialDrain
    implements RowWriter<T> {

  private static final Logger LOGGER = Loggers.getLogger(RowWriter.class);

  private final GroupWriter<T, P> writer;
  private final InsertSettings<T> settings;
  private final int maxWaiting;
  private final Duration acquireTimeout;
  private final Recorders<RowWriterMetricsRecorder> recorders;
  private final Scheduler scheduler;

  private final Queue<Call<T, P>> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();

  /** How many transactions are under way. */
  private final AtomicInteger underWay = new AtomicInteger();

  private final AtomicInteger open = new AtomicInteger();
  private final Sinks.Empty<Void> end = Sinks.empty();

  private volatile boolean closing;

  private final Disposable.Swap timer = Disposables.swap();

  /**
   * Whether the timer is set. All calls wait equally long, so one timer serves the queue. A call is
   * queued before this is read, and this is cleared before the queue is read.
   */
  private final AtomicBoolean timed = new AtomicBoolean();

  /** Whether the end was reported; drain loop only. */
  private boolean closed;

  /**
   * The thread that moves a call to ENDED signals the caller, unless it is the thread that cancels.
   */
  private enum State {
    WAITING,
    TAKEN,
    ENDED
  }

  /**
   * The rows of one call, which are committed together.
   *
   * @param since when it began to wait, in nanoseconds of the scheduler
   */
  private record Call<T, P extends PreparedRow<T>>(
      List<P> rows, MonoSink<List<T>> sink, long since, AtomicReference<State> state) {

    boolean move(State from, State to) {
      return state.compareAndSet(from, to);
    }

    /** Calls differ although their rows may be equal; rows of the application are not asked. */
    @Override
    public boolean equals(@Nullable Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }

  GroupingRowWriter(
      GroupWriter<T, P> writer,
      InsertSettings<T> settings,
      int maxWaiting,
      Duration acquireTimeout,
      RowWriterMetricsRecorder... recorders) {
    this.writer = writer;
    this.settings = settings;
    this.maxWaiting = maxWaiting;
    this.acquireTimeout = acquireTimeout;
    this.recorders =
        Recorders.of(RowWriterMetricsRecorder.class, RowWriterMetricsRecorder.NONE, recorders);
    this.scheduler = settings.scheduler();
  }

  /** Reports that there is a writer. Called once, before it is used. */
  GroupingRowWriter<T, P> opened() {
    recorders.record(to -> to.opened(this));
    return this;
  }

  @Override
  public Mono<T> write(T row) {
    return writeAll(List.of(Objects.requireNonNull(row, "row"))).map(rows -> rows.get(0));
  }

  @Override
  public Mono<List<T>> writeAll(List<T> rows) {
    List<T> copy = List.copyOf(rows);
    return copy.isEmpty() ? Mono.just(copy) : Mono.create(sink -> begin(copy, sink));
  }

  private void begin(List<T> rows, MonoSink<List<T>> sink) {
    List<P> prepared = new ArrayList<>(rows.size());
    try {
      int mostRows = Math.min(settings.groupSize(), maxWaiting);
      if (rows.size() > mostRows) {
        throw RowTooLargeException.ofCall("rows", rows.size(), mostRows, rows.get(0));
      }
      for (T row : rows) {
        prepared.add(Objects.requireNonNull(writer.prepare(row), "the prepared row is null"));
      }
      settings.requireWithin(prepared);
    } catch (Throwable reason) {
      recorders.record(to -> to.ended(Outcome.REJECTED, rows.size()));
      sink.error(
          InsertFailedException.ofCall(
              rows.stream().<InsertOutcome<T>>map(row -> new Rejected<>(row, reason)).toList()));
      return;
    }
    enqueue(new Call<>(prepared, sink, now(), new AtomicReference<>(State.WAITING)));
  }

  /**
   * Queues a call, or refuses it. A transaction that ends is counted down before its thread runs
   * the loop. So either that loop finds the call, or this thread finds the lower count and runs it.
   */
  private void enqueue(Call<T, P> call) {
    int rows = call.rows().size();
    int others = waiting.getAndUpdate(taken -> rows > maxWaiting - taken ? taken : taken + rows);
    if (others + rows > maxWaiting) {
      String message =
          "%d rows wait to be written, and %d more would exceed maxWaiting, %d"
              .formatted(others, rows, maxWaiting);
      refuse(call, Outcome.FULL, Reason.FULL, message);
    } else if (closing) {
      leave(call);
      refuse(call, Outcome.DISPOSED, Reason.DISPOSED, "the writer is disposed");
    } else {
      queue.add(call);
      setTimer(acquireTimeout.toNanos());
      call.sink().onCancel(() -> cancelled(call));
      if (underWay.get() < settings.concurrency()) {
        drainElsewhere();
      }
    }
  }

  /** Takes a call that waited out of the queue. */
  private void leave(Call<T, P> call) {
    queue.remove(call);
    if (waiting.addAndGet(-call.rows().size()) == 0 && closing) {
      drainElsewhere();
    }
  }

  private void cancelled(Call<T, P> call) {
    if (call.state().getAndSet(State.ENDED) == State.WAITING) {
      leave(call);
    }
  }

  private void setTimer(long nanos) {
    if (!acquireTimeout.isZero() && timed.compareAndSet(false, true)) {
      try {
        timer.update(scheduler.schedule(this::refuseOverdue, nanos, TimeUnit.NANOSECONDS));
      } catch (RejectedExecutionException refused) {
        timed.set(false);
        LOGGER.debug("No time limit for a row", refused);
      }
    }
  }

  private void refuseOverdue() {
    timed.set(false);
    boolean isShutDown = scheduler.isDisposed();
    if (isShutDown) {
      drain(); // the task that was to run the loop may come later
    }
    String message =
        isShutDown
            ? "the row cannot wait for its transaction, because the scheduler is shut down"
            : "the row waited for its transaction for the acquireTimeout of " + acquireTimeout;
    for (Call<T, P> call : queue) {
      long left = acquireTimeout.toNanos() - (now() - call.since());
      if (left > 0 && !isShutDown) {
        setTimer(left);
        return;
      }
      if (call.move(State.WAITING, State.ENDED)) {
        leave(call);
        refuse(call, Outcome.TIMED_OUT, Reason.TIMED_OUT, message);
      }
    }
  }

  private void refuse(Call<T, P> call, Outcome outcome, Reason reason, String message) {
    recorders.record(to -> to.ended(outcome, call.rows().size()));
    signal(call, () -> call.sink().error(new RowNotAcceptedException(reason, message)));
  }

  /** Signals a caller. One that throws does not keep the others from their signals. */
  private static void signal(Call<?, ?> call, Runnable signal) {
    try {
      signal.run();
    } catch (Throwable thrown) {
      Operators.onErrorDropped(thrown, Context.of(call.sink().contextView()));
    }
  }

  /** Runs the loop on the scheduler, or on this thread if the scheduler is shut down. */
  private void drainElsewhere() {
    try {
      scheduler.schedule(this::drain);
    } catch (RejectedExecutionException refused) {
      drain();
    }
  }

  @Override
  protected void drainOnce() {
    while (underWay.get() < settings.concurrency()) {
      List<Call<T, P>> calls = nextCalls();
      if (calls.isEmpty()) {
        break;
      }
      start(calls);
    }
    if (closing && !closed && waiting.get() == 0 && open.get() == 0) {
      closed = true;
      recorders.record(to -> to.closed(this));
      timer.dispose();
      end.tryEmitEmpty();
    }
  }

  /** As many calls from the front of the queue as a group holds; perhaps none. */
  private List<Call<T, P>> nextCalls() {
    List<Call<T, P>> calls = new ArrayList<>();
    RowGroup<T, P> group = new RowGroup<>(0, 0);
    for (Call<T, P> call = queue.peek(); call != null; call = queue.peek()) {
      if (!group.hasRoomFor(call.rows(), settings)) {
        break;
      }
      queue.remove(call); // another thread may remove it first, because it has left
      if (call.move(State.WAITING, State.TAKEN)) {
        waiting.addAndGet(-call.rows().size());
        call.rows().forEach(group::add);
        calls.add(call);
      }
    }
    return calls;
  }

  private void start(List<Call<T, P>> calls) {
    open.incrementAndGet();
    underWay.incrementAndGet();
    long startedAt = now();
    recorders.record(to -> calls.forEach(call -> to.waited(Math.max(0, startedAt - call.since()))));
    List<P> rows = new ArrayList<>();
    BitSet joined = new BitSet();
    for (Call<T, P> call : calls) {
      joined.set(rows.size() + 1, rows.size() + call.rows().size());
      rows.addAll(call.rows());
    }
    writer
        .outcomes(rows, joined)
        .contextWrite(scheduling -> Context.empty()) // also for the ThreadLocals that Reactor sets
        .subscribe(outcomes -> ended(calls, outcomes, now() - startedAt));
  }

  private void ended(List<Call<T, P>> calls, List<InsertOutcome<T>> outcomes, long nanos) {
    underWay.decrementAndGet();
    drain();
    recorders.record(to -> to.written(outcomes.size(), nanos));
    int first = 0;
    for (Call<T, P> call : calls) {
      int next = first + call.rows().size();
      deliver(call, outcomes.subList(first, next));
      first = next;
    }
    if (open.decrementAndGet() == 0 && closing) {
      drain();
    }
  }

  /** Passes the outcome of its rows, which have one fate, to a caller. */
  private void deliver(Call<T, P> call, List<InsertOutcome<T>> outcomes) {
    InsertFailedException failure =
        outcomes.stream().allMatch(Committed.class::isInstance)
            ? null
            : InsertFailedException.ofCall(outcomes);
    recorders.record(to -> to.ended(outcome(failure), outcomes.size()));
    if (!call.move(State.TAKEN, State.ENDED)) { // cancelled
      return;
    }
    signal(
        call,
        failure == null
            ? () -> call.sink().success(outcomes.stream().map(InsertOutcome::row).toList())
            : () -> call.sink().error(failure));
  }

  private static Outcome outcome(@Nullable InsertFailedException failure) {
    return failure == null
        ? Outcome.COMMITTED
        : failure.isOutcomeUnknown() ? Outcome.UNKNOWN : Outcome.REJECTED;
  }

  private long now() {
    return scheduler.now(TimeUnit.NANOSECONDS);
  }

  @Override
  public int waiting() {
    return waiting.get();
  }

  @Override
  public int maxWaiting() {
    return maxWaiting;
  }

  @Override
  public Mono<Void> disposeLater() {
    return Mono.defer(
        () -> {
          closing = true;
          drainElsewhere();
          return end.asMono();
        });
  }

  @Override
  public boolean isDisposed() {
    return closing;
  }
}
