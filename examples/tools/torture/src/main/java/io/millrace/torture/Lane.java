package io.millrace.torture;

import io.millrace.SequenceDisposedException;
import io.millrace.insert.RowNotAcceptedException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread with one subscription after another. */
abstract class Lane implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(Lane.class);

  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);
  private static final long AFTER_ERROR = TimeUnit.MILLISECONDS.toNanos(5);

  private final Mode mode;
  private final Meters meters;
  private final long nanosPerValue;
  final RandomGenerator random;

  private volatile boolean stopped;
  private @Nullable String latestError;

  Lane(Mode mode, Meters meters, int rate, RandomGenerator random) {
    this.mode = mode;
    this.meters = meters;
    this.nanosPerValue = TimeUnit.SECONDS.toNanos(1) * Mode.LANES / rate;
    this.random = random;
  }

  @Override
  public final void run() {
    try {
      while (!stopped) {
        long start = System.nanoTime();
        long received = subscribe();
        LockSupport.parkNanos(start + received * nanosPerValue - System.nanoTime());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Makes the current subscription the last one. */
  final void stop() {
    stopped = true;
  }

  /**
   * Makes one subscription, and waits for its end.
   *
   * @return how many values it received
   */
  abstract long subscribe() throws InterruptedException;

  /** Waits for a subscriber, sometimes not for long. */
  final void await(Taker<?> taker) throws InterruptedException {
    await(taker, System.nanoTime());
  }

  /** The same for one that subscribed at a time of {@link System#nanoTime}. */
  final void await(Taker<?> taker, long since) throws InterruptedException {
    boolean leaves = random.nextInt(8) == 0;
    long nanos = leaves ? random.nextLong(TimeUnit.MILLISECONDS.toNanos(20)) : PATIENCE;
    taker.await(Math.max(0, since + nanos - System.nanoTime()));
    Throwable failure = taker.failure();
    if (failure instanceof SequenceDisposedException
        || (failure instanceof RowNotAcceptedException refused
            && refused.reason() == RowNotAcceptedException.Reason.DISPOSED)) {
      LockSupport.parkNanos(AFTER_ERROR);
    } else if (failure != null) {
      meters.add(mode, Meters.Count.ERRORS, 1);
      log(failure);
      LockSupport.parkNanos(AFTER_ERROR);
    } else if (taker.received() == 0) {
      meters.add(mode, Meters.Count.CANCELS, 1);
    }
  }

  /** Logs once for each kind of failure in a row. */
  private void log(Throwable failure) {
    String kind = failure.getClass().getName();
    if (!kind.equals(latestError)) {
      latestError = kind;
      LOG.warn("{}: {}", mode, failure.toString());
    }
  }
}
