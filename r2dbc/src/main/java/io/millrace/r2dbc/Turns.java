package io.millrace.r2dbc;

import io.millrace.SequenceException;
import io.r2dbc.spi.Connection;
import java.util.Collections;
import java.util.Map;
import java.util.Queue;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
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
 * at rest; work that is cancelled before its turn is left out.
 */
final class Turns {

  /** By the driver's own connection, so that wrappers of one share its line. */
  private static final Map<Connection, Turns> LINES =
      Collections.synchronizedMap(new WeakHashMap<>());

  private final Queue<Turn<?>> line = new ConcurrentLinkedQueue<>();
  private final AtomicInteger arrivals = new AtomicInteger();

  /** Whether a piece of work is under way. Set inside the loop, cleared by the work's end. */
  private volatile boolean busy;

  private Turns() {}

  /** Lines work up when subscribed to, and gives its result. */
  static <T> Mono<T> take(Connection connection, boolean blocking, Mono<T> work) {
    return Mono.create(
        sink -> {
          Turns turns = LINES.computeIfAbsent(Lease.innermost(connection), ignored -> new Turns());
          Turn<T> turn = new Turn<>(work, sink, blocking, turns);
          sink.onCancel(() -> turn.left = true);
          turns.line.add(turn);
          turns.advance();
        });
  }

  /**
   * Fails all who wait with what the database said to the one before: its transaction is lost, and
   * Spanner's driver never answers the next statement. Called while busy, so nobody else polls.
   */
  private void fail(Throwable failure) {
    Turn<?> next;
    while ((next = line.poll()) != null) {
      next.fail(failure);
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
      Turn<?> next;
      while (!busy && (next = line.poll()) != null) {
        if (!next.left) {
          busy = true;
          next.start();
        }
      }
      seen = arrivals.addAndGet(-seen);
    }
  }

  private static final class Turn<T> {

    private final Mono<T> work;
    private final MonoSink<T> sink;
    private final boolean blocking;
    private final Turns turns;

    /** Written by the cancelling thread, once. */
    private volatile boolean left;

    Turn(Mono<T> work, MonoSink<T> sink, boolean blocking, Turns turns) {
      this.work = work;
      this.sink = sink;
      this.blocking = blocking;
      this.turns = turns;
    }

    void start() {
      (blocking ? work.subscribeOn(Schedulers.boundedElastic()) : work)
          .materialize()
          .contextWrite(sink.contextView())
          .subscribe(this::finish);
    }

    private void finish(Signal<T> result) {
      Throwable failure = result.getThrowable();
      if (failure != null && !(failure instanceof SequenceException)) {
        turns.fail(failure);
      }
      turns.end();
      if (failure == null) {
        sink.success(result.get());
      } else {
        fail(failure);
      }
    }

    private void fail(@Nullable Throwable failure) {
      if (!left && failure != null) {
        sink.error(failure);
      }
    }
  }
}
