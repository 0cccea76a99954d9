package io.millrace.r2dbc;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.util.Collections;
import java.util.Map;
import java.util.Queue;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import reactor.core.publisher.Mono;

/**
 * Tracks the connections of one source: which of them hang, and which are suspect.
 *
 * <p>A connection hangs while cancelled work on it continues. The work has {@link
 * AcquiredConnection#GRACE} to end. Then the connection is given up: the driver's connection is
 * closed, and a pool discards it and opens another. A network that silenced one connection has also
 * silenced the others that were open, so every connection that was used before is suspect, and is
 * closed instead of used. The same applies after a lost connection: after a failover, the
 * connections that were open before lead to the old server.
 *
 * <p>Invariants: at most {@link #MOST_WAITED_FOR} cancelled connections are waited for; work begins
 * only while fewer than {@link #MOST_UNCLOSED} connections are given up and not yet closed.
 */
final class Connections {

  static final int MOST_WAITED_FOR = 4;
  static final int MOST_UNCLOSED = 4;

  /** How many connections that a pool opened in advance may be tried at once. */
  private static final int MOST_UNSERVED = 16;

  private final ConnectionFactory factory;

  /** Connections whose work was cancelled, has not ended and is not given up; the oldest first. */
  private final Queue<AcquiredConnection<?>> cancelled = new ConcurrentLinkedQueue<>();

  private final AtomicInteger cancelledCount = new AtomicInteger();
  private final AtomicInteger unclosed = new AtomicInteger();
  private final AtomicLong givenUp = new AtomicLong();

  /** Incremented when a connection is given up, or is lost by work that began in this epoch. */
  private final AtomicInteger epoch = new AtomicInteger();

  /** For each of the driver's connections, the epoch in which its last successful work began. */
  private final Map<Connection, Integer> servedEpoch =
      Collections.synchronizedMap(new WeakHashMap<>());

  /**
   * How many connections of a pool were lost at their first use here since work last succeeded. The
   * pool may have opened them before a failover, which cannot be seen.
   */
  private final AtomicInteger unservedLost = new AtomicInteger();

  /** Whether a connection was given up and no work has succeeded since; for the log. */
  private volatile boolean hanging;

  /** Requests to cancel a statement that are now in progress. */
  private final AtomicInteger cancelRequests = new AtomicInteger();

  Connections(ConnectionFactory factory) {
    this.factory = factory;
  }

  ConnectionFactory factory() {
    return factory;
  }

  /** Asks the source for a connection, at each subscription. */
  Mono<Connection> acquire(R2dbcDialect dialect) {
    return Mono.defer(() -> Mono.from(dialect.adapt(factory).create()));
  }

  /** How many connections are held by work that was cancelled and has not ended. */
  int hung() {
    return cancelledCount.get() + unclosed.get();
  }

  /** How many connections were given up since the start. */
  long givenUp() {
    return givenUp.get();
  }

  /** Throws while too many connections are given up and not closed. */
  void checkUnclosed() {
    int hung = unclosed.get();
    if (hung >= MOST_UNCLOSED) {
      throw new HungConnectionsException(hung);
    }
  }

  /** Adds a connection whose work was cancelled. Gives up the oldest one if there are too many. */
  void addCancelled(AcquiredConnection<?> connection) {
    cancelled.add(connection);
    if (cancelledCount.incrementAndGet() > MOST_WAITED_FOR) {
      for (AcquiredConnection<?> oldest : cancelled) {
        if (oldest.giveUpIfClosable()) {
          return;
        }
      }
    }
  }

  /** Removes a connection whose work has ended or that is given up; false if it was not listed. */
  boolean removeCancelled(AcquiredConnection<?> connection) {
    boolean removed = cancelled.remove(connection);
    if (removed) {
      cancelledCount.decrementAndGet();
    }
    return removed;
  }

  /** Counts a connection that is given up; true if no other was since work last succeeded. */
  boolean countGivenUp() {
    epoch.incrementAndGet();
    givenUp.incrementAndGet();
    countUnclosed();
    boolean first = !hanging;
    hanging = true;
    return first;
  }

  /** Counts a connection that is neither in use nor returned, until {@link #countClosed}. */
  void countUnclosed() {
    unclosed.incrementAndGet();
  }

  void countClosed() {
    unclosed.decrementAndGet();
  }

  /** Whether a request to cancel a statement may be sent. {@link #endCancelRequest} ends it. */
  boolean startCancelRequest() {
    if (cancelRequests.incrementAndGet() <= MOST_UNCLOSED) {
      return true;
    }
    cancelRequests.decrementAndGet();
    return false;
  }

  void endCancelRequest() {
    cancelRequests.decrementAndGet();
  }

  /** The current epoch. Work belongs to the epoch in which it began. */
  int epoch() {
    return epoch.get();
  }

  /**
   * Whether to use another connection instead of this one, because one was given up or lost since
   * the last successful work on this one began.
   */
  boolean shouldReplace(Connection connection) {
    Integer last = servedEpoch.get(innermost(connection));
    return last != null && last != epoch.get();
  }

  /**
   * Notes that work failed because a connection was lost. If another one was lost or given up since
   * the work began, the connections that were opened after that are not suspect.
   */
  void markLost(Connection connection, int began) {
    epoch.compareAndSet(began, began + 1);
    Connection own = innermost(connection);
    if (own != connection && !hasServed(own)) {
      unservedLost.incrementAndGet();
    }
  }

  /** Notes that work succeeded. */
  void markServed(Connection connection, int began) {
    hanging = false;
    unservedLost.set(0);
    servedEpoch.put(innermost(connection), began);
  }

  /**
   * Retries work at once while it fails because a pool supplies connections that were opened before
   * a failover: at most 16 times until work succeeds.
   *
   * @param isLost whether a failure means a lost connection
   */
  <T> Mono<T> pastUnserved(Mono<T> work, Predicate<Throwable> isLost) {
    return Mono.defer(
        () -> {
          int before = unservedLost.get();
          return work.onErrorResume(
              failure -> isLost.test(failure) && mayTryNext(before),
              failure -> pastUnserved(work, isLost));
        });
  }

  private boolean mayTryNext(int before) {
    int lost = unservedLost.get();
    return lost != before && lost > 0 && lost <= MOST_UNSERVED;
  }

  /** Whether work on this connection has succeeded. */
  boolean hasServed(Connection connection) {
    return servedEpoch.containsKey(innermost(connection));
  }

  /** The driver's own connection. */
  static Connection innermost(Connection connection) {
    Connection innermost = connection;
    for (Connection layer : Layers.of(connection, Connection.class)) {
      innermost = layer;
    }
    return innermost;
  }
}
