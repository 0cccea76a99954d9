package io.millrace.insert;

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
import java.util.concurrent.atomic.AtomicInteger;
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
 * transaction, and then calls the subscribers of the group, outside the loop. So what a subscriber
 * does with its answer delays those behind it in its group, and no other.
 *
 * <p>The loop runs on the scheduler or on the thread of an answer, and its transactions have an
 * empty Context. So the functions that number a row see no ThreadLocals of a caller, unless the
 * scheduler runs tasks on the thread that schedules them, is shut down, or copies ThreadLocals.
 *
 * <p><b>Invariant.</b> {@link #waiting} counts the rows in the queue that have not left it: a call
 * counts its rows before it is queued, and the thread that moves it on counts them down. {@link
 * #open} counts the groups from their start until their callers are told. So a shutdown that finds
 * none of either, after it has refused new calls, has missed none.
 */
final class SharedCommits<T, P extends PreparedRow<T>> extends SerialDrain implements RowWriter<T> {

  /** The queue is swept when more calls than this, and than rows wait, have left it. */
  private static final int TOLERATED_DEPARTED = 64;

  private final GroupWriter<T, P> writer;
  private final InsertSettings<T> settings;
  private final int maxWaiting;
  private final Duration acquireTimeout;
  private final Recorders<RowWriterMetricsRecorder> recorders;
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

  /** Whether the end was reported; drain loop only. */
  private boolean closed;

  /** The calls whose rows are written in one transaction. */
  private final class Commit extends GroupSubscriber<T, P> {

    final List<WriteCall<T, P>> calls = new ArrayList<>();

    /** When it was started, in nanoseconds of the scheduler. */
    long startedAt;

    Commit() {
      super(new RowGroup<>(0));
    }

    boolean hasRoomFor(WriteCall<T, P> call) {
      return call.size() <= settings.groupSize() - group.size()
          && group.hasRoomFor(call.cells, call.bytes, settings);
    }

    void add(WriteCall<T, P> call) {
      calls.add(call);
      for (int i = 0; i < call.size(); i++) {
        group.add(call.slots.get(i), call.prepared.get(i));
      }
    }

    /** The index of each row that belongs to the row before it. */
    BitSet joined() {
      BitSet joined = new BitSet();
      int first = 0;
      for (WriteCall<T, P> call : calls) {
        joined.set(first + 1, first + call.size());
        first += call.size();
      }
      return joined;
    }

    @Override
    void written() {
      underWay.decrementAndGet();
      drain();
      deliver(this);
    }

    @Override
    public Context currentContext() {
      return Context.empty();
    }
  }

  SharedCommits(
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
    this.timer = new GroupTimer(scheduler, this::drain);
  }

  /** Reports that there is a writer. Called once, before it is used. */
  SharedCommits<T, P> opened() {
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
    return copy.isEmpty() ? Mono.just(copy) : new WriteMono(copy).assembled();
  }

  private final class WriteMono extends Mono<List<T>> implements Scannable {

    private final List<T> rows;

    WriteMono(List<T> rows) {
      this.rows = rows;
    }

    /** This publisher after Reactor's assembly hooks. */
    Mono<List<T>> assembled() {
      return onAssembly(this);
    }

    @Override
    public void subscribe(CoreSubscriber<? super List<T>> actual) {
      begin(actual, rows);
    }

    @Override
    public @Nullable Object scanUnsafe(Attr key) {
      return key == Attr.RUN_STYLE ? Attr.RunStyle.ASYNC : null;
    }
  }

  private void begin(CoreSubscriber<? super List<T>> actual, List<T> rows) {
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
      Operators.error(actual, InsertFailedException.ofCall(rows, false, reason));
      return;
    }
    actual.onSubscribe(new WriteCall<>(this, actual, rows, prepared));
  }

  /** Queues a call that was requested. */
  void enqueue(WriteCall<T, P> call) {
    int others = takePlaces(call.size());
    boolean place = others + call.size() <= maxWaiting;
    if (closing) {
      if (place) {
        givePlacesUp(call);
      }
      refuse(call, Outcome.DISPOSED, Reason.DISPOSED, "the writer is disposed");
    } else if (!place) {
      refuse(call, Outcome.FULL, Reason.FULL, full(others, call.size()));
    } else if (call.startWaiting(timer.now())) {
      add(call);
    } else {
      givePlacesUp(call);
    }
  }

  private void refuse(WriteCall<T, P> call, Outcome outcome, Reason reason, String message) {
    if (call.refuse()) {
      recorders.record(to -> to.ended(outcome, call.size()));
      call.actual.onError(new RowNotAcceptedException(reason, message));
    }
  }

  private String full(int others, int rows) {
    return others
        + " rows wait to be written, and "
        + rows
        + " more would exceed maxWaiting, "
        + maxWaiting;
  }

  /**
   * If the loop has nothing to do for a call, the call waits for the end of a transaction or for
   * the timer, each of which is noted before it runs the loop. So the loop finds the call, or the
   * call finds the note.
   */
  private void add(WriteCall<T, P> call) {
    queue.add(call);
    if (underWay.get() < settings.concurrency() || !(acquireTimeout.isZero() || timer.isSet())) {
      drainElsewhere();
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

  /** Takes places if there are enough. Returns how many were taken before. */
  private int takePlaces(int rows) {
    for (; ; ) {
      int taken = waiting.get();
      if (rows > maxWaiting - taken || waiting.compareAndSet(taken, taken + rows)) {
        return taken;
      }
    }
  }

  private void givePlacesUp(WriteCall<T, P> call) {
    if (waiting.addAndGet(-call.size()) == 0 && closing) {
      drainElsewhere();
    }
  }

  /** A call left the queue. */
  void departed(WriteCall<T, P> call) {
    departed.incrementAndGet();
    givePlacesUp(call);
    if (isSweepDue()) {
      drainElsewhere();
    }
  }

  private boolean isSweepDue() {
    int left = departed.get();
    int waits = waiting.get();
    return left > 0 && (waits == 0 || left > Math.max(TOLERATED_DEPARTED, waits));
  }

  private void deliver(Commit commit) {
    commit.settle();
    recorders.record(to -> report(commit, to));
    for (WriteCall<T, P> call : commit.calls) {
      signal(call, call::deliver);
    }
    if (open.decrementAndGet() == 0 && closing) {
      drain();
    }
  }

  private void report(Commit commit, RowWriterMetricsRecorder to) {
    to.written(commit.group.size(), timer.now() - commit.startedAt);
    for (WriteCall<T, P> call : commit.calls) {
      to.ended(call.outcome(), call.size());
    }
  }

  /** Signals a caller. One that throws does not keep the others from their signals. */
  private static void signal(WriteCall<?, ?> call, Runnable signal) {
    try {
      signal.run();
    } catch (Throwable thrown) {
      Operators.onErrorDropped(thrown, call.actual.currentContext());
    }
  }

  @Override
  protected void drainOnce() {
    if (isSweepDue()) {
      departed.set(0);
      queue.removeIf(call -> !call.isWaiting());
    }
    while (underWay.get() < settings.concurrency()) {
      Commit commit = nextCommit();
      if (commit.calls.isEmpty()) {
        break;
      }
      start(commit);
    }
    limitWaits();
    if (closing && waiting.get() == 0 && open.get() == 0) {
      close();
    }
  }

  private void close() {
    if (closed) {
      return;
    }
    closed = true;
    timer.dispose();
    recorders.record(to -> to.closed(this));
    end.tryEmitEmpty();
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

  /** As many calls from the front of the queue as a group holds; perhaps none. */
  private Commit nextCommit() {
    Commit commit = new Commit();
    for (WriteCall<T, P> call = first(); call != null; call = first()) {
      if (!commit.hasRoomFor(call)) {
        break;
      }
      queue.poll();
      if (call.take()) {
        waiting.addAndGet(-call.size());
        commit.add(call);
      }
    }
    return commit;
  }

  private void start(Commit commit) {
    open.incrementAndGet();
    underWay.incrementAndGet();
    commit.startedAt = timer.now();
    recorders.record(to -> reportWaits(commit, to));
    BitSet joined = commit.joined();
    Mono.defer(() -> writer.write(commit.group.rows(), joined))
        .contextWrite(scheduling -> Context.empty()) // also for the ThreadLocals that Reactor sets
        .subscribe(commit);
  }

  private void reportWaits(Commit commit, RowWriterMetricsRecorder to) {
    for (WriteCall<T, P> call : commit.calls) {
      to.waited(Math.max(0, commit.startedAt - call.since()));
    }
  }

  /**
   * Refuses the calls that have waited too long, or whose time the scheduler does not measure any
   * more, and wakes the loop for the first of the others. Those that were queued first are due
   * first, but for the time that a thread takes to queue.
   */
  private void limitWaits() {
    WriteCall<T, P> call = acquireTimeout.isZero() ? null : first();
    long now = timer.now();
    while (call != null) {
      long left = call.since() + acquireTimeout.toNanos() - now;
      if (left > 0 && !scheduler.isDisposed()) {
        if (!timer.isSet()) {
          timer.wakeIn(left);
        }
        return;
      }
      RowNotAcceptedException refusal =
          new RowNotAcceptedException(
              Reason.TIMED_OUT,
              left > 0
                  ? "the row cannot wait for its transaction, because the scheduler is shut down"
                  : "the row waited for its transaction for the acquireTimeout of "
                      + acquireTimeout);
      queue.poll();
      if (call.leave()) {
        waiting.addAndGet(-call.size());
        WriteCall<T, P> overdue = call;
        recorders.record(to -> to.ended(Outcome.TIMED_OUT, overdue.size()));
        signal(overdue, () -> overdue.actual.onError(refusal));
      }
      call = first();
    }
  }

  /** For tests: how many calls the queue holds, those that have left it included. */
  int queueLength() {
    return queue.size();
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
