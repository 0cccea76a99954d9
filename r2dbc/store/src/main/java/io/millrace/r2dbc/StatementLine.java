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
 * Lets work on one connection go one piece at a time, in the order of subscription, whatever object
 * asks for it. Drivers differ in what they do with statements that overlap.
 *
 * <p>Work that has begun is not cut short by a cancel, so that the next piece finds the connection
 * at rest; work that is cancelled before it begins is left out.
 *
 * <p>Spanner's driver never answers a query behind a statement that failed in the same transaction,
 * and nothing tells whether the next transaction has begun. So a piece gets a probe, which the
 * driver does answer: it goes first where the piece before failed, or was cancelled on the way and
 * may never end. A piece with a probe that is cancelled on the way lets the next one begin at once.
 *
 * <p>Without a probe a piece may end when its transaction is over and the next one's pieces wait,
 * as a pool hands the connection on. So what it meets is its own.
 */
final class StatementLine {

  /** By the driver's own connection, so that wrappers of one share its line. */
  private static final Map<Connection, StatementLine> LINES =
      Collections.synchronizedMap(new WeakHashMap<>());

  /** The doubt that a piece leaves that nobody waited for to the end. */
  private static final Throwable GIVEN_UP = new EarlierFailure(null);

  private enum State {
    WAITING,
    RUNNING,
    /** Running, and nobody waits for the result. */
    LEFT,
    OVER
  }

  /** What a statement before this one met; its transaction is lost. */
  static final class EarlierFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    EarlierFailure(@Nullable Throwable failure) {
      super(null, failure, false, false);
    }
  }

  private final Queue<Statement<?>> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger arrivals = new AtomicInteger();

  /** Whether a piece of work is under way. Set inside the loop, cleared by the work's end. */
  private volatile boolean busy;

  /**
   * Why a probe has to go first; null if the connection is at rest. Written by the piece that runs.
   */
  private volatile @Nullable Throwable doubt;

  private StatementLine() {}

  /**
   * Lines work up when subscribed to, and gives its result.
   *
   * @param probe fails if the connection's transaction is lost; null if the driver always answers
   */
  static <T> Mono<T> take(
      Connection connection, boolean blocking, @Nullable Mono<Void> probe, Mono<T> work) {
    return Mono.create(
        sink -> {
          StatementLine line =
              LINES.computeIfAbsent(
                  Connections.innermost(connection), ignored -> new StatementLine());
          Statement<T> statement = new Statement<>(work, probe, sink, blocking, line);
          sink.onCancel(statement::leave);
          line.waiting.add(statement);
          line.advance();
        });
  }

  /**
   * Fails all who wait with what the database said to the one before, whose transaction is theirs,
   * and lost. Called while busy, so nobody else polls.
   */
  private void fail(Throwable failure) {
    Statement<?> next;
    while ((next = waiting.poll()) != null) {
      next.fail(new EarlierFailure(failure));
    }
  }

  private void end() {
    busy = false;
    advance();
  }

  /** Starts whoever is next. One thread at a time is in the loop; others tell it to look again. */
  private void advance() {
    if (arrivals.getAndIncrement() != 0) {
      return;
    }
    int seen = 1;
    while (seen != 0) {
      Statement<?> next;
      while (!busy && (next = waiting.poll()) != null) {
        next.start();
      }
      seen = arrivals.addAndGet(-seen);
    }
  }

  private static final class Statement<T> {

    private final Mono<T> work;
    private final @Nullable Mono<Void> probe;
    private final MonoSink<T> sink;
    private final boolean blocking;
    private final StatementLine line;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

    Statement(
        Mono<T> work,
        @Nullable Mono<Void> probe,
        MonoSink<T> sink,
        boolean blocking,
        StatementLine line) {
      this.work = work;
      this.probe = probe;
      this.sink = sink;
      this.blocking = blocking;
      this.line = line;
    }

    /** Called inside the loop; does nothing if nobody waits any more. */
    void start() {
      line.busy = true;
      if (!state.compareAndSet(State.WAITING, State.RUNNING)) {
        line.busy = false;
        return;
      }
      Mono<T> checked = Guarded.mono(this::probed);
      (blocking ? checked.subscribeOn(Schedulers.boundedElastic()) : checked)
          .materialize()
          .contextWrite(sink.contextView())
          .subscribe(this::finish);
    }

    private Mono<T> probed() {
      Throwable why = line.doubt;
      if (probe == null || why == null) {
        return work;
      }
      return probe
          .onErrorMap(
              failure -> failure == why || why == GIVEN_UP ? new EarlierFailure(failure) : failure)
          .then(work);
    }

    /** Any thread's. */
    void leave() {
      if (state.compareAndSet(State.WAITING, State.OVER)) {
        return;
      }
      if (probe == null) {
        state.compareAndSet(State.RUNNING, State.LEFT);
      } else if (state.compareAndSet(State.RUNNING, State.OVER)) {
        line.doubt = GIVEN_UP;
        line.end();
      }
    }

    private void finish(Signal<T> result) {
      State before = state.getAndSet(State.OVER);
      if (before == State.OVER) {
        return;
      }
      Throwable failure = result.getThrowable();
      Throwable cause = failure instanceof EarlierFailure ? failure.getCause() : failure;
      if (probe != null) {
        if (cause == null || cause instanceof SequenceException) {
          line.doubt = null;
        } else {
          line.doubt = cause;
          line.fail(cause);
        }
      }
      try {
        if (before == State.RUNNING && failure != null) {
          sink.error(failure); // who is told may cancel those who wait: then they are left out
        }
      } finally {
        line.end();
      }
      if (before == State.RUNNING && failure == null) {
        sink.success(result.get());
      }
    }

    /** Fails without having run, if anybody waits. */
    private void fail(Throwable failure) {
      if (state.compareAndSet(State.WAITING, State.OVER)) {
        sink.error(failure);
      }
    }
  }
}
