package io.millrace.r2dbc;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Wrapped;
import java.util.Collections;
import java.util.Map;
import java.util.Queue;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * Tracks the connections of one source: which of them hang, and which are suspect.
 *
 * <p>A connection hangs while cancelled work on it continues. The work has {@link
 * AcquiredConnection#GRACE} to end. Then the connection is given up: the driver's connection is
 * closed, and a pool discards it and opens another. A network that silenced one connection has also
 * silenced the others that were open. So from then on, every connection that was used before is
 * suspect, and is closed instead of used. The same holds after a failure that means a lost
 * connection: after a failover, the connections that were open before lead to the old server.
 *
 * <p>Invariants: at most {@link #MOST_WAITED_FOR} cancelled connections are waited for; work begins
 * only while fewer than {@link #MOST_UNCLOSED} connections are given up and not yet closed.
 */
final class Connections {

  static final int MOST_WAITED_FOR = 4;
  static final int MOST_UNCLOSED = 4;

  /** How many connections that a pool opened in advance are replaced after two were lost. */
  private static final int MOST_UNUSED = 16;

  private static final Logger LOGGER = Loggers.getLogger(Connections.class);

  private static final int MAX_WRAPPERS = 10;

  private final ConnectionFactory factory;

  /** Connections whose work was cancelled, has not ended and is not given up; the oldest first. */
  private final Queue<AcquiredConnection<?>> cancelled = new ConcurrentLinkedQueue<>();

  private final AtomicInteger cancelledCount = new AtomicInteger();
  private final AtomicInteger unclosed = new AtomicInteger();
  private final AtomicLong givenUp = new AtomicLong();

  /** Incremented whenever a connection is given up or lost. */
  private final AtomicInteger epoch = new AtomicInteger();

  /** For each of the driver's connections, the epoch in which work last succeeded on it. */
  private final Map<Connection, Integer> servedEpoch =
      Collections.synchronizedMap(new WeakHashMap<>());

  /**
   * How many more pooled connections are replaced that were never used. Whether such a connection
   * was opened before the failover cannot be seen. Set when two of them are lost, at most once
   * until work succeeds.
   */
  private final AtomicInteger unusedToReplace = new AtomicInteger();

  /** How many of them were lost at their first use since work last succeeded. */
  private final AtomicInteger unusedLost = new AtomicInteger();

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
  Mono<Connection> acquire() {
    // One publisher of Spanner's driver gives all its subscribers the same connection.
    return SafeCall.mono(factory::create);
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

  /**
   * Whether to use another connection instead of this one, because one was given up or lost since
   * work last succeeded on this one.
   */
  boolean shouldReplace(Connection connection) {
    Integer last = servedEpoch.get(innermost(connection));
    return last == null
        ? isPooled(connection) && unusedToReplace.getAndUpdate(n -> Math.max(0, n - 1)) > 0
        : last != epoch.get();
  }

  /** Notes that work failed because a connection was lost. */
  void markLost(Connection connection) {
    epoch.incrementAndGet();
    if (isPooled(connection)
        && !servedEpoch.containsKey(innermost(connection))
        && unusedLost.incrementAndGet() == 2) {
      unusedToReplace.set(MOST_UNUSED);
    }
  }

  private static boolean isPooled(Connection connection) {
    return innermost(connection) != connection;
  }

  void markServed(Connection connection) {
    hanging = false;
    if (unusedLost.get() != 0) {
      unusedToReplace.set(0);
      unusedLost.set(0);
    }
    servedEpoch.put(innermost(connection), epoch.get());
  }

  /** The driver's own connection. */
  static Connection innermost(Connection connection) {
    Connection at = connection;
    for (int i = 0; i < MAX_WRAPPERS; i++) {
      if (!(at instanceof Wrapped<?> wrapper && unwrapped(wrapper) instanceof Connection inner)) {
        return at;
      }
      at = inner;
    }
    return at;
  }

  /** The wrapped object; null if the wrapper throws. */
  private static @Nullable Object unwrapped(Wrapped<?> wrapper) {
    try {
      return wrapper.unwrap();
    } catch (Throwable thrown) {
      LOGGER.debug("A connection could not be unwrapped", thrown);
      return null;
    }
  }
}
