package io.millrace.torture;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that follows the tapes while they are written, and reads the counters. A counter must be
 * at or above every value that was received before it is read. Where values cannot be released, it
 * never moves back.
 */
final class Watch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Watch.class);

  private static final long TAPES_MILLIS = 100;
  private static final long COUNTERS_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Database database;
  private final Map<Mode, LiveCounts.Total> totals;
  private final List<Worker> workers;
  private final CounterReadings readings = new CounterReadings();
  private final Thread thread = new Thread(this::run, "watch");

  private volatile boolean stopped;

  Watch(Database database, Map<Mode, LiveCounts.Total> totals, List<Worker> workers) {
    this.database = database;
    this.totals = totals;
    this.workers = workers;
    thread.setDaemon(true);
  }

  static Map<Mode, LiveCounts.Total> totals(List<Mode> modes) {
    Map<Mode, LiveCounts.Total> totals = new EnumMap<>(Mode.class);
    modes.forEach(mode -> totals.put(mode, new LiveCounts.Total()));
    return totals;
  }

  void start() {
    thread.start();
  }

  private void run() {
    long counters = System.nanoTime();
    try {
      while (!stopped) {
        readTapes();
        if (System.nanoTime() - counters >= 0) {
          counters = System.nanoTime() + COUNTERS_NANOS;
          readCounters();
        }
        Thread.sleep(TAPES_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void readTapes() {
    for (Worker worker : workers) {
      LiveCounts counts = worker.counts();
      if (counts != null) {
        counts.read();
      }
    }
  }

  private void readCounters() {
    totals.forEach(
        (mode, total) -> {
          long received = mode.isDense() ? total.largest() : total.count();
          try {
            readings.add(mode, received, database.reserved(mode));
          } catch (RuntimeException e) {
            LOG.info("the counter of {} was not read: {}", mode, e.toString());
          }
        });
  }

  /** Stops the thread. */
  @Override
  public void close() throws InterruptedException {
    stopped = true;
    thread.join(PATIENCE.toMillis());
  }

  CounterReadings readings() {
    return readings;
  }
}
