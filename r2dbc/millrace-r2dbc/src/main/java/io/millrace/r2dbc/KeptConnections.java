package io.millrace.r2dbc;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Wrapped;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * A few connections that a store keeps for its next requests, if its source has no pool. For a
 * server, connecting takes many times as long as moving a counter.
 *
 * <p>Only connections that come from a driver itself are kept. A pool keeps its own connections. A
 * source that chooses the database by the subscriber's context may choose another one next time. A
 * connection that was not used for {@link #IDLE} is closed, so an abandoned store holds nothing.
 *
 * <p>Invariant: a connection is in the deque, in use, or closed. The thread that takes its {@link
 * Entry} uses or closes it.
 */
final class KeptConnections {

  static final int MOST = 4;
  static final Duration IDLE = Duration.ofSeconds(30);

  private static final Logger LOGGER = Loggers.getLogger(KeptConnections.class);

  private static final class Entry {
    private final Connection connection;
    private final AtomicBoolean taken = new AtomicBoolean();
    private final Disposable.Swap expiry = Disposables.swap();

    Entry(Connection connection) {
      this.connection = connection;
    }
  }

  private final Class<?> factoryType;
  private final boolean factoryIsDriver;

  /** The one used last comes first, so the others can expire. */
  private final ConcurrentLinkedDeque<Entry> idle = new ConcurrentLinkedDeque<>();

  /** Entries that are not taken; incremented before an entry is added. */
  private final AtomicInteger size = new AtomicInteger();

  private volatile boolean closed;

  KeptConnections(ConnectionFactory source) {
    this.factoryType = source.getClass();
    this.factoryIsDriver = !(source instanceof Wrapped);
  }

  /** Takes the connection that was used last; it may have broken since. Null if there is none. */
  @Nullable Connection take() {
    Entry entry;
    while ((entry = idle.pollFirst()) != null) {
      if (tryTake(entry)) {
        return entry.connection;
      }
    }
    return null;
  }

  /** Keeps a connection on which no work runs; false if the caller has to close it. */
  boolean keep(Connection connection) {
    if (closed || !isOfDriver(connection)) {
      return false;
    }
    if (size.incrementAndGet() > MOST) {
      size.decrementAndGet();
      return false;
    }
    Entry entry = new Entry(connection);
    idle.addFirst(entry);
    try {
      entry.expiry.update(
          Schedulers.parallel()
              .schedule(() -> expire(entry), IDLE.toNanos(), TimeUnit.NANOSECONDS));
    } catch (RejectedExecutionException shutDown) {
      expire(entry);
    }
    if (closed) {
      expire(entry);
    }
    return true;
  }

  /** Closes the kept connections, and keeps none from then on. */
  Mono<Void> close() {
    return Flux.<Connection>generate(
            sink -> {
              closed = true;
              Connection next = take();
              if (next == null) {
                sink.complete();
              } else {
                sink.next(next);
              }
            })
        .flatMap(KeptConnections::closeIdle)
        .then();
  }

  private boolean tryTake(Entry entry) {
    if (!entry.taken.compareAndSet(false, true)) {
      return false;
    }
    size.decrementAndGet();
    entry.expiry.dispose();
    return true;
  }

  private void expire(Entry entry) {
    if (tryTake(entry)) {
      idle.remove(entry);
      closeIdle(entry.connection).subscribe();
    }
  }

  private static Mono<Void> closeIdle(Connection connection) {
    return AcquiredConnection.call(connection::close)
        .timeout(AcquiredConnection.CLOSE_TIMEOUT)
        .onErrorResume(
            failure -> {
              LOGGER.debug("An idle connection could not be closed", failure);
              return Mono.empty();
            });
  }

  /**
   * Whether the connection comes from the driver itself. Then its class and the factory's are in
   * one package.
   */
  private boolean isOfDriver(Connection connection) {
    return factoryIsDriver
        && Connections.innermost(connection) == connection
        && connection.getClass().getPackage() == factoryType.getPackage()
        && connection.isAutoCommit();
  }
}
