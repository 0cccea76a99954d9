package io.millrace.r2dbc;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ValidationDepth;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Signal;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.util.Logger;
import reactor.util.Loggers;
import reactor.util.context.Context;

/**
 * One connection in use, from the request for it until it is returned to its source.
 *
 * <p>Invariant: a connection that arrives, however late, is returned once, or closed if the work on
 * it does not end or fails for a reason that may be the connection's. A cancel reaches the source
 * only before the connection has arrived. A scheduled task that calls a driver is never disposed
 * of: that would interrupt a thread inside the database.
 */
final class AcquiredConnection<T> {

  /** How long work may continue after a cancel before its connection is closed. */
  static final Duration GRACE = Duration.ofSeconds(1);

  /** How long the return of a connection waits for the driver to close it. */
  static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

  /** A connection that is being closed counts as closed after this time, even without an answer. */
  private static final Duration ASSUMED_CLOSED_AFTER = Duration.ofMinutes(1);

  private static final Logger LOGGER = Loggers.getLogger(AcquiredConnection.class);

  /** After this many dead or suspect connections the source has no others, and one is used. */
  private static final int MOST_REPLACEMENTS = 100;

  private enum State {
    BUSY,
    /** Its connection is being closed. */
    GIVEN_UP,
    ENDED
  }

  private final MonoSink<T> sink;
  private final ConnectionSource source;
  private final Connections connections;
  private final Function<Connection, Mono<T>> work;
  private final boolean inTransaction;

  /** Written once, by the thread that cancels. */
  private volatile boolean cancelled;

  /**
   * Set by the connection's arrival or by the cancel, whichever is first. After the arrival, the
   * request is not cancelled: a pool would take the connection back, even from work that has begun.
   */
  private final AtomicBoolean arrivedOrCancelled = new AtomicBoolean();

  private final AtomicReference<State> state = new AtomicReference<>(State.BUSY);

  /** Set by the first of two: the end of the work, which returns the connection, or giving up. */
  private final AtomicBoolean returned = new AtomicBoolean();

  /**
   * Completes when the work has ended or the driver has answered the close. Written by the thread
   * that gives the connection up, before it sets {@link #returned}.
   */
  private volatile Sinks.@Nullable Empty<Void> endedOrClosed;

  private final Disposable.Swap acquisition = Disposables.swap();
  private final Disposable.Swap timer = Disposables.swap();

  /** Written when the connection arrives, before any work. */
  private volatile @Nullable Connection connection;

  /** The epoch in which the work began. Written before {@link #connection}, which publishes it. */
  private int began;

  /** Whether a rollback failed, so that the state of the connection is unknown. */
  private volatile boolean unclear;

  /** Whether work was begun. Written before its first signal. */
  private boolean worked;

  /** A plain field, because connections arrive one after the other. */
  private int replacements;

  AcquiredConnection(
      MonoSink<T> sink,
      ConnectionSource source,
      Function<Connection, Mono<T>> work,
      boolean inTransaction) {
    this.sink = sink;
    this.source = source;
    this.connections = source.connections();
    this.work = work;
    this.inTransaction = inTransaction;
  }

  void begin() {
    sink.onCancel(this::cancel);
    try {
      connections.checkUnclosed();
    } catch (HungConnectionsException refused) {
      sink.error(refused);
      return;
    }
    execute(this::acquire);
  }

  private void acquire() {
    Connection idle = source.takeKept();
    if (idle != null) {
      isAlive(idle).contextWrite(context()).subscribe(alive -> accept(idle, alive));
      return;
    }
    ConnectionSubscriber subscriber = new ConnectionSubscriber();
    if (acquisition.replace(subscriber)) {
      connections.acquire(source.dialect()).contextWrite(context()).subscribe(subscriber);
    }
  }

  /** Starts the work on a connection, or replaces a connection that is dead or suspect. */
  private void accept(Connection arrived, boolean alive) {
    began = connections.epoch();
    if ((!alive || connections.shouldReplace(arrived))
        && !cancelled
        && ++replacements < MOST_REPLACEMENTS) {
      Runnable discarding = () -> discard(arrived).contextWrite(context()).subscribe();
      execute(discarding, discarding);
      execute(this::acquire);
      return;
    }
    connection = arrived;
    arrivedOrCancelled.set(true);
    execute(this::startWork);
  }

  private Connection connection() {
    return Objects.requireNonNull(connection, "connection");
  }

  private Context context() {
    return Context.of(sink.contextView());
  }

  /** Receives the connection from the source. */
  private final class ConnectionSubscriber extends BaseSubscriber<Connection> {

    private boolean arrived;

    @Override
    public Context currentContext() {
      return context();
    }

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
      requestUnbounded();
    }

    @Override
    protected void hookOnNext(Connection answer) {
      arrived = true;
      accept(answer, true);
    }

    @Override
    protected void hookOnComplete() {
      if (!arrived) {
        sink.error(new IllegalStateException("the source of connections emitted none"));
      }
    }

    @Override
    protected void hookOnError(Throwable failure) {
      if (arrived) {
        LOGGER.debug("A source failed after it had emitted a connection", failure);
      } else {
        fail(failure);
      }
    }
  }

  private void execute(Runnable task) {
    execute(
        task,
        () -> {
          RejectedExecutionException rejected =
              new RejectedExecutionException("Schedulers.boundedElastic() takes no more tasks");
          if (connection == null) {
            fail(rejected);
          } else {
            returnConnection(Signal.error(rejected));
          }
        });
  }

  private void execute(Runnable task, Runnable onRejection) {
    if (source.calls() == DriverCalls.DIRECT) {
      task.run();
      return;
    }
    try {
      Schedulers.boundedElastic().schedule(task);
    } catch (RejectedExecutionException rejected) {
      onRejection.run();
    }
  }

  private void startWork() {
    if (cancelled) {
      returnConnection(Signal.complete());
      return;
    }
    worked = true;
    boolean isNew = !connections.hasServed(connection());
    Mono<Void> prepared = isNew ? source.dialect().prepare(connection()) : Mono.empty();
    Mono.defer(
            () ->
                new ConnectionWork<>(connection(), work, () -> cancelled, () -> unclear = true)
                    .apply(inTransaction, prepared))
        .materialize()
        .contextWrite(context())
        .subscribe(this::returnConnection);
  }

  private void returnConnection(Signal<T> result) {
    if (!returned.compareAndSet(false, true)) {
      Objects.requireNonNull(endedOrClosed, "endedOrClosed").tryEmitEmpty();
      return;
    }
    Connection used = connection();
    Throwable failure = result.getThrowable();
    if (failure == null) {
      if (worked) {
        connections.markServed(used, began);
      }
    } else if (source.isConnectionLost(failure)) {
      connections.markLost(used, began);
    }
    boolean discarded = unclear || (failure != null && source.costsConnection(failure));
    Mono.defer(
            () ->
                discarded
                    ? discard(used)
                    : failure == null && !cancelled
                        ? source.returnConnection(used)
                        : call(used::close))
        .contextWrite(context())
        .subscribe(
            null,
            notReturned -> {
              LOGGER.debug("A connection could not be returned", notReturned);
              emit(result);
            },
            () -> emit(result));
  }

  private void emit(Signal<T> result) {
    end();
    Throwable failure = result.getThrowable();
    if (failure != null) {
      fail(failure);
    } else {
      sink.success(result.get());
    }
  }

  private void fail(Throwable failure) {
    if (cancelled) {
      LOGGER.debug("Failed after the subscriber had cancelled", failure);
    } else {
      sink.error(failure);
    }
  }

  private void cancel() {
    cancelled = true;
    if (arrivedOrCancelled.compareAndSet(false, true)) {
      acquisition.dispose();
      return;
    }
    // Start this timer first. Once listed, another thread may give this up and replace the timer.
    after(GRACE, this::giveUp);
    connections.addCancelled(this);
    if (state.get() == State.ENDED) {
      connections.removeCancelled(this);
      timer.dispose();
    }
  }

  private void after(Duration delay, Runnable task) {
    try {
      timer.update(Schedulers.parallel().schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS));
    } catch (RejectedExecutionException shutDown) {
      LOGGER.debug("No time limit for a connection", shutDown);
    }
  }

  /**
   * Gives up at once; false if the work has ended, is given up already, or if the driver blocks.
   */
  boolean giveUpIfClosable() {
    return source.calls() != DriverCalls.BLOCKING && giveUp();
  }

  /**
   * Closes the driver's connection under work that does not end. Most drivers then fail the work,
   * and a pool discards the connection. It is never used again, whatever its state.
   *
   * <p>A connection that is already being returned is left alone, because its pool may have given
   * it to another caller by now. It counts as unclosed until the return ends. A driver that blocks
   * is waited for: its database is in this process, and a thread is inside it.
   */
  private boolean giveUp() {
    if (!state.compareAndSet(State.BUSY, State.GIVEN_UP)) {
      return false;
    }
    connections.removeCancelled(this);
    if (source.calls() == DriverCalls.BLOCKING) {
      connections.countGivenUp();
      return true;
    }
    after(ASSUMED_CLOSED_AFTER, this::end);
    Sinks.Empty<Void> done = Sinks.empty();
    endedOrClosed = done;
    if (!returned.compareAndSet(false, true)) {
      connections.countUnclosed();
      return true;
    }
    boolean first = connections.countGivenUp();
    Connection acquired = connection();
    Connection driverConnection = Connections.innermost(acquired);
    if (first) {
      LOGGER.warn(
          "Cancelled work on a connection did not end: the connection is closed, and connections"
              + " that were open at the time are not used again");
    }
    Mono<Void> closed =
        close(driverConnection, ServerCancel.send(connections, driverConnection, context()));
    closed.subscribe(null, failure -> {}, done::tryEmitEmpty);
    (driverConnection == acquired ? Mono.<Void>empty() : invalidate(acquired, closed))
        .then(done.asMono())
        .contextWrite(context())
        .subscribe(null, failure -> end(), this::end);
    return true;
  }

  /** Closes the driver's connection, then returns the dead connection to its pool. */
  private Mono<Void> discard(Connection connection) {
    Connection driverConnection = Connections.innermost(connection);
    Mono<Void> closed = close(driverConnection, Mono.empty());
    return driverConnection == connection
        ? closed.timeout(CLOSE_TIMEOUT).onErrorComplete()
        : invalidate(connection, closed).onErrorComplete();
  }

  /**
   * Begins to close a driver's connection. The result completes when the driver answers, if it
   * does.
   */
  private Mono<Void> close(Connection driverConnection, Mono<Void> before) {
    Sinks.Empty<Void> closed = Sinks.empty();
    before
        .then(call(driverConnection::close))
        .contextWrite(context())
        .subscribe(
            null,
            failure -> {
              LOGGER.debug("A connection that hangs could not be closed", failure);
              closed.tryEmitEmpty();
            },
            closed::tryEmitEmpty);
    return closed.asMono();
  }

  /**
   * Returns a dead connection to its pool, which then opens another one. A connection that reports
   * itself alive is not returned: the pool would use it again, in an unknown state. Its place in
   * the pool is free only when the driver has closed it, as late as that may be.
   *
   * @return completes when it is returned, or when that has to wait
   */
  private Mono<Void> invalidate(Connection connection, Mono<Void> closed) {
    return closed
        .timeout(CLOSE_TIMEOUT)
        .onErrorComplete()
        .then(isAlive(connection))
        .flatMap(
            alive -> {
              if (!alive) {
                return call(connection::close);
              }
              LOGGER.warn("A connection does not close; it is returned to its pool once it does");
              closed
                  .then(isAlive(connection))
                  .filter(stillAlive -> !stillAlive)
                  .flatMap(dead -> call(connection::close))
                  .contextWrite(context())
                  .subscribe(
                      null, failure -> LOGGER.debug("A dead connection was not returned", failure));
              return Mono.empty();
            });
  }

  private static Mono<Boolean> isAlive(Connection connection) {
    return Mono.defer(() -> Mono.from(connection.validate(ValidationDepth.LOCAL)))
        .onErrorReturn(false)
        .defaultIfEmpty(false);
  }

  private void end() {
    if (state.getAndSet(State.ENDED) == State.GIVEN_UP) {
      connections.countClosed();
    }
    connections.removeCancelled(this);
    timer.dispose();
  }

  interface Call {
    Publisher<Void> start();
  }

  /** A request to the driver. What it throws becomes an error signal. */
  static Mono<Void> call(Call call) {
    return Mono.defer(() -> Mono.from(call.start()));
  }
}
