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
 * What one source's connections have been seen to do: which hang, and which cannot be trusted.
 *
 * <p>A connection hangs while work on it goes on that was cancelled. Such work has {@link
 * Lease#GRACE} to end. Then it is given up: the driver's connection is closed, so that a pool
 * throws it away and opens another. The network that silenced one connection has silenced those
 * that were open beside it. So every connection that was used before is suspect from then on, and
 * is closed instead of used.
 *
 * <p>Invariants: at most {@link #MOST_WAITED_FOR} connections are waited for beyond a cancel; work
 * begins only while fewer than {@link #MOST_UNCLOSED} were given up and are not closed yet.
 */
final class Connections {

  static final int MOST_WAITED_FOR = 4;
  static final int MOST_UNCLOSED = 4;

  private static final Logger LOGGER = Loggers.getLogger(Connections.class);

  private static final int MAX_WRAPPERS = 10;

  private final ConnectionFactory factory;

  /** Cancelled, not ended, and not given up; the oldest first. */
  private final Queue<Lease<?>> waitedFor = new ConcurrentLinkedQueue<>();

  private final AtomicInteger waitedForCount = new AtomicInteger();
  private final AtomicInteger unclosed = new AtomicInteger();
  private final AtomicLong givenUp = new AtomicLong();

  /** Raised whenever a connection is given up. */
  private final AtomicInteger epoch = new AtomicInteger();

  /** The epoch in which each of the driver's connections last served to the end. */
  private final Map<Connection, Integer> served = Collections.synchronizedMap(new WeakHashMap<>());

  /** Whether connections were given up and none has served since; for the log. */
  private volatile boolean hanging;

  /** Requests to cancel a statement that are under way. */
  private final AtomicInteger cancels = new AtomicInteger();

  Connections(ConnectionFactory factory) {
    this.factory = factory;
  }

  ConnectionFactory factory() {
    return factory;
  }

  /** A connection, when subscribed to. */
  Mono<Connection> acquire() {
    // The driver of Spanner answers all subscribers of one publisher with one connection.
    return Guarded.mono(factory::create);
  }

  /** How many connections are held by work that was cancelled and has not ended. */
  int hung() {
    return waitedForCount.get() + unclosed.get();
  }

  /** How many connections were given up since the start. */
  long givenUp() {
    return givenUp.get();
  }

  /** Refuses work while too many connections are given up and not closed. */
  void admit() {
    int hanging = unclosed.get();
    if (hanging >= MOST_UNCLOSED) {
      throw new HungConnectionsException(hanging);
    }
  }

  /** Takes up a lease that was cancelled at work, and gives up the oldest if there are too many. */
  void waitFor(Lease<?> lease) {
    waitedFor.add(lease);
    if (waitedForCount.incrementAndGet() > MOST_WAITED_FOR) {
      for (Lease<?> oldest : waitedFor) {
        if (oldest.giveUpNow()) {
          return;
        }
      }
    }
  }

  /** Nobody waits for it any more: it has ended, or is given up. */
  boolean leave(Lease<?> lease) {
    boolean left = waitedFor.remove(lease);
    if (left) {
      waitedForCount.decrementAndGet();
    }
    return left;
  }

  /** Notes that a connection is given up; true if it is the first since one served. */
  boolean gaveUp() {
    epoch.incrementAndGet();
    givenUp.incrementAndGet();
    isUnclosed();
    boolean first = !hanging;
    hanging = true;
    return first;
  }

  /** Notes that a connection is neither in use nor back; its end is told by {@link #closed}. */
  void isUnclosed() {
    unclosed.incrementAndGet();
  }

  void closed() {
    unclosed.decrementAndGet();
  }

  /** Whether a request to cancel a statement may be sent; its end is told by {@link #cancelled}. */
  boolean mayCancel() {
    if (cancels.incrementAndGet() <= MOST_UNCLOSED) {
      return true;
    }
    cancels.decrementAndGet();
    return false;
  }

  void cancelled() {
    cancels.decrementAndGet();
  }

  /** Whether another connection has been given up since this one was last known to work. */
  boolean isSuspect(Connection connection) {
    Integer last = served.get(innermost(connection));
    return last != null && last != epoch.get();
  }

  void served(Connection connection) {
    hanging = false;
    served.put(innermost(connection), epoch.get());
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

  /** What a wrapper says that it wraps; null if it throws. */
  private static @Nullable Object unwrapped(Wrapped<?> wrapper) {
    try {
      return wrapper.unwrap();
    } catch (Throwable thrown) {
      LOGGER.debug("A connection could not be unwrapped", thrown);
      return null;
    }
  }
}
