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
 * One connection on loan, from the request for it until it is given back.
 *
 * <p>Invariant: a connection that arrives, however late, is given back once, or closed if the work
 * on it does not end. Cancelling reaches the source only before a connection has come. Tasks on the
 * Scheduler that run a database are never disposed of, since that would interrupt a thread inside
 * it.
 */
final class Lease<T> {

  /** How long work may go on behind a cancel before its connection is closed. */
  static final Duration GRACE = Duration.ofSeconds(1);

  /** How long a pool's connection waits for the driver's beneath it to close. */
  static final Duration CLOSING = Duration.ofSeconds(2);

  /** Time after which a connection counts as closed that never said that it is. */
  private static final Duration FORGOTTEN = Duration.ofMinutes(1);

  private static final Logger LOGGER = Loggers.getLogger(Lease.class);

  /** A source that answers more connections that cannot be trusted has no other ones. */
  private static final int MOST_REPLACED = 100;

  private enum State {
    BUSY,
    /** Its connection is being closed. */
    GIVEN_UP,
    OVER
  }

  private final MonoSink<T> sink;
  private final ConnectionSource source;
  private final Connections connections;
  private final Function<Connection, Mono<T>> work;
  private final boolean inTransaction;

  /** Written by the cancelling thread, once. */
  private volatile boolean abandoned;

  /**
   * Set by the connection's arrival or by the cancel, whichever is first. A pool that hears of a
   * cancel takes its connection back, also from under work that has begun.
   */
  private final AtomicBoolean decided = new AtomicBoolean();

  private final AtomicReference<State> state = new AtomicReference<>(State.BUSY);

  /** Set by whoever gives the connection back: the work's end, or the one that gives it up. */
  private final AtomicBoolean returned = new AtomicBoolean();

  /** Completes when there is nothing left to wait for. Written before a connection is given up. */
  private volatile Sinks.@Nullable Empty<Void> atRest;

  private final Disposable.Swap acquisition = Disposables.swap();
  private final Disposable.Swap timer = Disposables.swap();

  /** Written when the connection arrives, before any work. */
  private volatile @Nullable Connection connection;

  /** Counted by one arrival after the other. */
  private int replaced;

  Lease(
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
    sink.onCancel(this::abandon);
    try {
      connections.admit();
    } catch (HungConnectionsException refused) {
      sink.error(refused);
      return;
    }
    run(this::ask);
  }

  private void ask() {
    Connection idle = source.idle();
    if (idle != null) {
      isAlive(idle).contextWrite(context()).subscribe(alive -> take(idle, alive));
      return;
    }
    Arrival arrival = new Arrival();
    if (acquisition.replace(arrival)) {
      Guarded.mono(connections::acquire).contextWrite(context()).subscribe(arrival);
    }
  }

  /** Works with a connection, or asks for another one in place of one that cannot be trusted. */
  private void take(Connection arrived, boolean alive) {
    if ((!alive || connections.isSuspect(arrived)) && !abandoned && ++replaced < MOST_REPLACED) {
      Runnable discarding = () -> discard(arrived).contextWrite(context()).subscribe();
      run(discarding, discarding);
      run(this::ask);
      return;
    }
    connection = arrived;
    decided.set(true);
    run(this::work);
  }

  private Connection connection() {
    return Objects.requireNonNull(connection, "connection");
  }

  private Context context() {
    return Context.of(sink.contextView());
  }

  /** What the source answers. */
  private final class Arrival extends BaseSubscriber<Connection> {

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
      take(answer, true);
    }

    @Override
    protected void hookOnComplete() {
      if (!arrived) {
        sink.error(new IllegalStateException("the source of connections gave none"));
      }
    }

    @Override
    protected void hookOnError(Throwable failure) {
      if (arrived) {
        LOGGER.debug("A source failed behind its connection", failure);
      } else {
        fail(failure);
      }
    }
  }

  private void run(Runnable task) {
    run(
        task,
        () -> {
          RejectedExecutionException full =
              new RejectedExecutionException("Schedulers.boundedElastic() takes no more tasks");
          if (connection == null) {
            fail(full);
          } else {
            giveBack(Signal.error(full));
          }
        });
  }

  private void run(Runnable task, Runnable otherwise) {
    if (source.calls() == DriverCalls.DIRECT) {
      task.run();
      return;
    }
    try {
      Schedulers.boundedElastic().schedule(task);
    } catch (RejectedExecutionException full) {
      otherwise.run();
    }
  }

  private void work() {
    if (abandoned) {
      giveBack(Signal.complete());
      return;
    }
    Guarded.mono(() -> new LeasedWork<>(connection(), work, () -> abandoned).run(inTransaction))
        .materialize()
        .contextWrite(context())
        .subscribe(this::giveBack);
  }

  private void giveBack(Signal<T> result) {
    if (!returned.compareAndSet(false, true)) {
      Objects.requireNonNull(atRest, "atRest").tryEmitEmpty();
      return;
    }
    boolean served = !result.isOnError();
    if (served) {
      connections.served(connection());
    }
    Guarded.mono(
            () -> served && !abandoned ? source.giveBack(connection()) : call(connection()::close))
        .contextWrite(context())
        .subscribe(
            null,
            failure -> {
              LOGGER.debug("A connection could not be given back", failure);
              answer(result);
            },
            () -> answer(result));
  }

  private void answer(Signal<T> result) {
    end();
    Throwable failure = result.getThrowable();
    if (failure != null) {
      fail(failure);
    } else {
      sink.success(result.get());
    }
  }

  private void fail(Throwable failure) {
    if (abandoned) {
      LOGGER.debug("Failed when nobody waited any more", failure);
    } else {
      sink.error(failure);
    }
  }

  private void abandon() {
    abandoned = true;
    if (decided.compareAndSet(false, true)) {
      acquisition.dispose();
      return;
    }
    after(GRACE, this::giveUp); // before others can give it up, whose timer is to take its place
    connections.waitFor(this);
    if (state.get() == State.OVER) {
      connections.leave(this);
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

  /** Gives up what can be closed now; false if it has ended or has to be waited for. */
  boolean giveUpNow() {
    return source.calls() != DriverCalls.BLOCKING && giveUp();
  }

  /**
   * Closes the driver's connection beneath work that does not end, which makes most drivers fail
   * that work, and has a pool throw the connection away. It is never lent again, whatever its
   * state. One that is on its way back is left alone, since its pool may have lent it to somebody
   * else by now; it counts as unclosed until it has arrived. A driver that blocks is waited for:
   * its database is in this process, and its thread is inside.
   */
  private boolean giveUp() {
    if (!state.compareAndSet(State.BUSY, State.GIVEN_UP)) {
      return false;
    }
    connections.leave(this);
    if (source.calls() == DriverCalls.BLOCKING) {
      connections.gaveUp();
      return true;
    }
    after(FORGOTTEN, this::end);
    Sinks.Empty<Void> rest = Sinks.empty();
    atRest = rest;
    if (!returned.compareAndSet(false, true)) {
      connections.isUnclosed();
      return true;
    }
    boolean first = connections.gaveUp();
    Connection given = connection();
    Connection beneath = Connections.innermost(given);
    if (first) {
      LOGGER.warn(
          "Work on a connection did not end after its cancel: the connection is closed, and"
              + " those that were open beside it are not used again");
    }
    ServerCancel.ask(connections, beneath, context());
    call(beneath::close)
        .contextWrite(context())
        .subscribe(
            null,
            failure -> {
              LOGGER.debug("A connection that hangs could not be closed", failure);
              rest.tryEmitEmpty();
            },
            rest::tryEmitEmpty);
    Mono<Void> closed = rest.asMono().timeout(CLOSING).onErrorComplete();
    (beneath != given ? closed.then(Mono.defer(() -> throwAway(given))) : closed)
        .contextWrite(context())
        .subscribe(null, failure -> end(), this::end);
    return true;
  }

  /** Closes a connection beneath its pool, and has the pool notice. */
  private static Mono<Void> discard(Connection connection) {
    Connection beneath = Connections.innermost(connection);
    Mono<Void> closed = call(beneath::close).timeout(CLOSING).onErrorComplete();
    return beneath == connection
        ? closed
        : closed.then(Mono.defer(() -> throwAway(connection))).onErrorComplete();
  }

  /**
   * Gives a dead connection back, so that its pool opens another in its place. One that says that
   * it lives would be lent again, in a state that nobody knows; its place in the pool is the
   * smaller loss.
   */
  private static Mono<Void> throwAway(Connection connection) {
    return isAlive(connection)
        .flatMap(
            alive -> {
              if (alive) {
                LOGGER.warn("A connection was closed, says that it lives, and is not given back");
                return Mono.empty();
              }
              return call(connection::close);
            });
  }

  private static Mono<Boolean> isAlive(Connection connection) {
    return Guarded.mono(() -> connection.validate(ValidationDepth.LOCAL))
        .onErrorReturn(false)
        .defaultIfEmpty(false);
  }

  private void end() {
    if (state.getAndSet(State.OVER) == State.GIVEN_UP) {
      connections.closed();
    }
    connections.leave(this);
    timer.dispose();
  }

  interface Call {
    Publisher<Void> start();
  }

  /** A request to the driver whose throw is an error like any other. */
  static Mono<Void> call(Call call) {
    return Guarded.mono(call::start);
  }
}
