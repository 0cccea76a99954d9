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
 * A few connections that a store keeps for its next requests, where its source makes a connection
 * for each: to connect takes a server many times as long as to move a counter.
 *
 * <p>Only a driver's own connections are kept. One of a pool is the pool's to keep, and a source
 * that chooses its database by the subscriber's context may answer another one next time. Each is
 * closed when nobody has used it for {@link #IDLE}, so a store that is forgotten holds nothing.
 *
 * <p>Invariant: a connection is in the deque, or in use, or closed. Whoever takes its {@link Entry}
 * out decides.
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

  private final Class<?> factory;
  private final boolean ofDriver;

  /** The latest first: the others expire. */
  private final ConcurrentLinkedDeque<Entry> idle = new ConcurrentLinkedDeque<>();

  /** Entries that nobody has taken; raised before one is added. */
  private final AtomicInteger size = new AtomicInteger();

  private volatile boolean closed;

  KeptConnections(ConnectionFactory source) {
    ConnectionFactory at = source instanceof UnsharedConnectionFactory own ? own.unwrap() : source;
    this.factory = at.getClass();
    this.ofDriver = !(at instanceof Wrapped);
  }

  /** The connection that was used last, which may have broken since; null if there is none. */
  @Nullable Connection take() {
    Entry entry;
    while ((entry = idle.pollFirst()) != null) {
      if (claim(entry)) {
        return entry.connection;
      }
    }
    return null;
  }

  /** Keeps a connection that is at rest; false if it has to be closed. */
  boolean keep(Connection connection) {
    if (closed || !isDrivers(connection)) {
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

  /** Closes what is kept, and keeps nothing from now on. */
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
        .flatMap(KeptConnections::closed)
        .then();
  }

  private boolean claim(Entry entry) {
    if (!entry.taken.compareAndSet(false, true)) {
      return false;
    }
    size.decrementAndGet();
    entry.expiry.dispose();
    return true;
  }

  private void expire(Entry entry) {
    if (claim(entry)) {
      idle.remove(entry);
      closed(entry.connection).subscribe();
    }
  }

  private static Mono<Void> closed(Connection connection) {
    return Lease.call(connection::close)
        .timeout(Lease.CLOSING)
        .onErrorResume(
            failure -> {
              LOGGER.debug("An idle connection could not be closed", failure);
              return Mono.empty();
            });
  }

  /** Whether the source is the driver itself: its classes are in the package of what it makes. */
  private boolean isDrivers(Connection connection) {
    return ofDriver
        && Connections.innermost(connection) == connection
        && connection.getClass().getPackage() == factory.getPackage()
        && Guarded.holds(connection::isAutoCommit);
  }
}
