package io.millrace.r2dbc;

import io.millrace.SequenceException;
import io.r2dbc.spi.Connection;
import java.util.Collections;
import java.util.Map;
import java.util.Queue;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Signal;
import reactor.core.scheduler.Schedulers;

/**
 * Runs the work on one connection one piece at a time, in the order of subscription, over all
 * sequences. Drivers differ in how they treat statements that overlap.
 *
 * <p>A cancel does not interrupt work that has begun, so the next piece finds the connection free.
 * Work that is cancelled before it begins is skipped.
 *
 * <p>Spanner's driver never answers a query after a statement that failed in the same transaction.
 * The queue cannot see whether the next transaction has begun. So each piece has a probe, a
 * statement that the driver always answers. The probe runs before the piece if the previous piece
 * failed, or if it was cancelled while it ran and may never end. With a probe, the piece after one
 * that is cancelled while it runs begins at once.
 *
 * <p>Without a probe, the failure of a piece does not fail the pieces that wait. The piece may end
 * after its transaction, when a pool has already passed the connection on and the waiting pieces
 * belong to the next transaction.
 */
final class StatementQueue {

  /** By the driver's connection, so all wrappers of a connection share its queue. */
  private static final Map<Connection, StatementQueue> QUEUES =
      Collections.synchronizedMap(new WeakHashMap<>());

  /** The reason for a probe after a piece that was cancelled while it ran. */
  private static final Throwable CANCELLED_BEFORE = new EarlierFailure(null);

  private enum State {
    WAITING,
    RUNNING,
    /** Running, and the subscriber has cancelled. */
    CANCELLED,
    DONE
  }

  /** An earlier statement of the transaction failed, so the transaction is lost. */
  static final class EarlierFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    EarlierFailure(@Nullable Throwable failure) {
      super(null, failure, false, false);
    }
  }

  private final Queue<QueuedWork<?>> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger signals = new AtomicInteger();

  /** Whether a piece of work is running. Set in the drain loop, cleared when the work ends. */
  private volatile boolean running;

  /** Why the next piece needs its probe; null if it needs none. Written by the piece that runs. */
  private volatile @Nullable Throwable probeReason;

  private StatementQueue() {}

  /**
   * Queues the work when subscribed to, and emits its result.
   *
   * @param probe fails if the connection's transaction is lost; null if the driver always answers
   */
  static <T> Mono<T> enqueue(
      Connection connection, boolean blocking, @Nullable Mono<Void> probe, Mono<T> work) {
    return Mono.create(
        sink -> {
          StatementQueue queue =
              QUEUES.computeIfAbsent(
                  Connections.innermost(connection), ignored -> new StatementQueue());
          QueuedWork<T> queued = new QueuedWork<>(work, probe, sink, blocking, queue);
          sink.onCancel(queued::cancel);
          queue.waiting.add(queued);
          queue.advance();
        });
  }

  /**
   * Fails all waiting pieces with the database's answer to the one before. They are in the same
   * transaction, which is lost. Called while {@link #running} is set, so no other thread polls.
   */
  private void failWaiting(Throwable failure) {
    QueuedWork<?> next;
    while ((next = waiting.poll()) != null) {
      next.fail(new EarlierFailure(failure));
    }
  }

  private void end() {
    running = false;
    advance();
  }

  /** The drain loop: starts the next piece. One thread at a time runs it; others signal it. */
  private void advance() {
    if (signals.getAndIncrement() != 0) {
      return;
    }
    int seen = 1;
    while (seen != 0) {
      QueuedWork<?> next;
      while (!running && (next = waiting.poll()) != null) {
        next.start();
      }
      seen = signals.addAndGet(-seen);
    }
  }

  private static final class QueuedWork<T> {

    private final Mono<T> work;
    private final @Nullable Mono<Void> probe;
    private final MonoSink<T> sink;
    private final boolean blocking;
    private final StatementQueue queue;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

    QueuedWork(
        Mono<T> work,
        @Nullable Mono<Void> probe,
        MonoSink<T> sink,
        boolean blocking,
        StatementQueue queue) {
      this.work = work;
      this.probe = probe;
      this.sink = sink;
      this.blocking = blocking;
      this.queue = queue;
    }

    /** Called in the drain loop; does nothing if the subscriber has cancelled. */
    void start() {
      queue.running = true;
      if (!state.compareAndSet(State.WAITING, State.RUNNING)) {
        queue.running = false;
        return;
      }
      Mono<T> toRun = Mono.defer(this::probeThenWork);
      (blocking ? toRun.subscribeOn(Schedulers.boundedElastic()) : toRun)
          .materialize()
          .contextWrite(sink.contextView())
          .subscribe(this::finish);
    }

    private Mono<T> probeThenWork() {
      Throwable reason = queue.probeReason;
      if (probe == null || reason == null) {
        return work;
      }
      return probe
          .onErrorMap(
              failure ->
                  failure == reason || reason == CANCELLED_BEFORE
                      ? new EarlierFailure(failure)
                      : failure)
          .then(work);
    }

    /** Called by any thread. */
    void cancel() {
      if (state.compareAndSet(State.WAITING, State.DONE)) {
        return;
      }
      if (probe == null) {
        state.compareAndSet(State.RUNNING, State.CANCELLED);
      } else if (state.compareAndSet(State.RUNNING, State.DONE)) {
        queue.probeReason = CANCELLED_BEFORE;
        queue.end();
      }
    }

    private void finish(Signal<T> result) {
      State before = state.getAndSet(State.DONE);
      if (before == State.DONE) {
        return;
      }
      Throwable failure = result.getThrowable();
      Throwable cause = failure instanceof EarlierFailure ? failure.getCause() : failure;
      if (probe != null) {
        if (cause == null || cause instanceof SequenceException) {
          queue.probeReason = null;
        } else {
          queue.probeReason = cause;
          queue.failWaiting(cause);
        }
      }
      if (before == State.RUNNING && failure != null) {
        sink.error(failure); // the subscriber may now cancel waiting pieces, which are skipped
      }
      queue.end();
      if (before == State.RUNNING && failure == null) {
        sink.success(result.get());
      }
    }

    /** Fails a piece that has not begun, unless it was cancelled. */
    private void fail(Throwable failure) {
      if (state.compareAndSet(State.WAITING, State.DONE)) {
        sink.error(failure);
      }
    }
  }
}
