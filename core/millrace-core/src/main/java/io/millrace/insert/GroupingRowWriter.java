package io.millrace.insert;

import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.InsertOutcome.Rejected;
import io.millrace.insert.RowNotAcceptedException.Reason;
import io.millrace.insert.RowWriterMetricsRecorder.Outcome;
import io.millrace.insert.spi.PreparedRow;
import io.millrace.internal.DeadlineTimer;
import io.millrace.internal.Recorders;
import io.millrace.internal.SerialDrain;
import io.millrace.internal.Threads;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Operators;
import reactor.core.publisher.Sinks;
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
 * scheduler runs tasks on the thread that schedules them, or copies ThreadLocals.
 *
 * <p><b>Invariant.</b> {@link #waiting} counts the rows of the calls that wait: a call counts its
 * rows before it is queued, and the thread that takes it out counts them down. {@link #open} counts
 * groups from their start, and calls that have timed out, until their callers are signalled. So a
 * shutdown that finds both at 0, after it has begun to refuse new calls, has missed none.
 */
final class GroupingRowWriter<T, P extends PreparedRow<T>> extends SerialDrain
    implements RowWriter<T> {

  private final GroupInsert.Writer<T, P> writer;
  private final InsertSettings<T> settings;
  private final Recorders<RowWriterMetricsRecorder> recorders;

  private final Queue<Call<T, P>> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();

  /** How many transactions are under way. */
  private final AtomicInteger underWay = new AtomicInteger();

  private final AtomicInteger open = new AtomicInteger();
  private final Sinks.Empty<Void> end = Sinks.empty();

  private volatile boolean closing;

  /** All calls wait equally long, so one timer serves the queue. Disposed at the end. */
  private final DeadlineTimer timer;

  /** The rows of one call, which are committed together. */
  private static final class Call<T, P extends PreparedRow<T>> extends Rows<T, P> {

    private final MonoSink<List<T>> sink;

    /** When it began to wait, in nanoseconds of the scheduler. */
    private final long since;

    /** Whether it waits. The thread that clears this takes it out of the queue. */
    private final AtomicBoolean waits = new AtomicBoolean(true);

    Call(MonoSink<List<T>> sink, long since) {
      this.sink = sink;
      this.since = since;
    }

    /** Signals the caller. One that throws does not keep the others from their signals. */
    void signal(Runnable signal) {
      try {
        signal.run();
      } catch (Throwable thrown) {
        Operators.onErrorDropped(thrown, Context.of(sink.contextView()));
      }
    }
  }

  /** Creates a writer, and reports it to the recorders. */
  GroupingRowWriter(
      GroupInsert.Writer<T, P> writer,
      InsertSettings<T> settings,
      RowWriterMetricsRecorder... recorders) {
    this.writer = writer;
    this.settings = settings;
    this.recorders =
        Recorders.of(RowWriterMetricsRecorder.class, RowWriterMetricsRecorder.NONE, recorders);
    this.timer = new DeadlineTimer(settings.scheduler(), this::timeLeft, this::refuseOverdue);
    this.recorders.record(to -> to.opened(this));
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
    int count = rows.size();
    Call<T, P> call = new Call<>(sink, settings.now());
    try {
      RowTooLargeException.requireWithin(
          "rows", count, Math.min(settings.groupSize(), maxWaiting()), count, rows.get(0));
      rows.forEach(row -> call.add(writer.database().prepare(row)));
      settings.requireWithin(call.cells, call.bytes, count, rows.get(0));
    } catch (Throwable reason) {
      deliver(call, rows.stream().<InsertOutcome<T>>map(r -> new Rejected<>(r, reason)).toList());
      return;
    }
    enqueue(call);
  }

  /**
   * Queues a call, or refuses it. A transaction that ends is counted down before its thread runs
   * the loop. So either that loop finds the call, or this thread finds the lower count and runs it.
   */
  private void enqueue(Call<T, P> call) {
    int rows = call.rows.size();
    int others = waiting.getAndUpdate(taken -> rows > maxWaiting() - taken ? taken : taken + rows);
    if (rows > maxWaiting() - others) {
      String message =
          "%d rows wait to be written, and %d more would exceed maxWaiting, %d"
              .formatted(others, rows, maxWaiting());
      refuse(call, Outcome.FULL, Reason.FULL, message);
    } else if (closing) {
      leave(call);
      refuse(call, Outcome.DISPOSED, Reason.DISPOSED, "the writer is disposed");
    } else {
      queue.add(call);
      if (!settings.acquireTimeout().isZero()) {
        timer.ensureSet();
      }
      call.sink.onCancel(() -> leave(call));
      if (underWay.get() < settings.concurrency()) {
        Threads.run(settings.scheduler(), this::drain);
      }
    }
  }

  /** Takes a call out of the queue, unless it does not wait; returns whether it did. */
  private boolean leave(Call<T, P> call) {
    boolean waited = call.waits.getAndSet(false);
    if (waited) {
      queue.remove(call);
      if (waiting.addAndGet(-call.rows.size()) == 0 && closing) {
        Threads.run(settings.scheduler(), this::drain);
      }
    }
    return waited;
  }

  private long timeLeft() {
    Call<T, P> first = queue.peek();
    return first == null ? DeadlineTimer.NONE : timeLeft(first);
  }

  private long timeLeft(Call<T, P> call) {
    return settings.acquireTimeout().toNanos() - (settings.now() - call.since);
  }

  private void refuseOverdue() {
    for (Call<T, P> call : queue) {
      if (timeLeft(call) > 0) {
        return;
      }
      open.incrementAndGet(); // before it leaves, until its caller is signalled
      if (leave(call)) {
        Threads.run(settings.scheduler(), () -> refuseOverdue(call)); // a caller may take its time
      } else {
        signalled();
      }
    }
  }

  private void refuseOverdue(Call<T, P> call) {
    String message =
        "the row waited for its transaction for the acquireTimeout of " + settings.acquireTimeout();
    refuse(call, Outcome.TIMED_OUT, Reason.TIMED_OUT, message);
    signalled();
  }

  private void refuse(Call<T, P> call, Outcome outcome, Reason reason, String message) {
    recorders.record(to -> to.ended(outcome, call.rows.size()));
    call.signal(() -> call.sink.error(new RowNotAcceptedException(reason, message)));
  }

  @Override
  protected void drainOnce() {
    while (underWay.get() < settings.concurrency() && startNext()) {
      // until as many are under way as may be, or none waits
    }
    if (closing && waiting.get() == 0 && open.get() == 0 && !timer.isDisposed()) {
      timer.dispose();
      recorders.record(to -> to.closed(this));
      end.tryEmitEmpty();
    }
  }

  /** Writes as many calls from the front of the queue as a group holds; false if none waits. */
  private boolean startNext() {
    long startedAt = settings.now();
    Rows<T, P> group = new Rows<>();
    BitSet joined = new BitSet();
    List<Call<T, P>> calls = new ArrayList<>();
    for (Call<T, P> call : queue) {
      if (!group.hasRoomFor(call.rows.size(), call.cells, call.bytes, settings)) {
        break;
      }
      if (leave(call)) {
        joined.set(group.rows.size() + 1, group.rows.size() + call.rows.size());
        group.addAll(call);
        calls.add(call);
        recorders.record(to -> to.waited(Math.max(0, startedAt - call.since)));
      }
    }
    if (calls.isEmpty()) {
      return false;
    }
    open.incrementAndGet();
    underWay.incrementAndGet();
    writer
        .write(group.rows, joined)
        .contextWrite(scheduling -> Context.empty()) // also for the ThreadLocals that Reactor sets
        .subscribe(outcomes -> ended(calls, outcomes, settings.now() - startedAt));
    return true;
  }

  private void ended(List<Call<T, P>> calls, List<InsertOutcome<T>> outcomes, long nanos) {
    underWay.decrementAndGet();
    drain();
    recorders.record(to -> to.written(outcomes.size(), nanos));
    int first = 0;
    for (Call<T, P> call : calls) {
      int next = first + call.rows.size();
      deliver(call, outcomes.subList(first, next));
      first = next;
    }
    signalled();
  }

  private void signalled() {
    if (open.decrementAndGet() == 0 && closing) {
      drain();
    }
  }

  /** Passes the outcome of its rows, which have one fate, to a caller. */
  private void deliver(Call<T, P> call, List<InsertOutcome<T>> outcomes) {
    if (outcomes.stream().allMatch(Committed.class::isInstance)) {
      recorders.record(to -> to.ended(Outcome.COMMITTED, outcomes.size()));
      call.signal(() -> call.sink.success(outcomes.stream().map(InsertOutcome::row).toList()));
    } else {
      InsertFailedException failure = InsertFailedException.ofCall(outcomes);
      Outcome outcome = failure.isOutcomeUnknown() ? Outcome.UNKNOWN : Outcome.REJECTED;
      recorders.record(to -> to.ended(outcome, outcomes.size()));
      call.signal(() -> call.sink.error(failure));
    }
  }

  @Override
  public int waiting() {
    return waiting.get();
  }

  @Override
  public int maxWaiting() {
    return settings.maxWaiting();
  }

  @Override
  public Mono<Void> disposeLater() {
    return Mono.defer(
        () -> {
          closing = true;
          Threads.run(settings.scheduler(), this::drain);
          return end.asMono();
        });
  }

  @Override
  public boolean isDisposed() {
    return closing;
  }
}
