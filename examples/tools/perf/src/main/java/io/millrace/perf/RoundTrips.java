package io.millrace.perf;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.Statement;
import java.time.Duration;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The durations of small requests, sent one at a time before the runs.
 *
 * @param asRun on the same route as the runs
 * @param withoutProxy directly to the emulator; null if there is no proxy
 */
record RoundTrips(Latencies asRun, @Nullable Latencies withoutProxy) {

  private static final int REQUESTS = 50;
  private static final Duration LIMIT = Duration.ofSeconds(2);
  private static final Statement SMALL = Statement.of("SELECT 1");

  /** Sends at most 50 requests in two seconds, after as many for warming up; blocks. */
  static Latencies measure(DatabaseClient client) {
    sendMany(client);
    return Latencies.of(sendMany(client));
  }

  private static Histogram sendMany(DatabaseClient client) {
    Histogram nanos = Tally.histogram();
    long begun = System.nanoTime();
    do {
      long start = System.nanoTime();
      send(client);
      nanos.recordValue(Tally.inRange(System.nanoTime() - start));
    } while (nanos.getTotalCount() < REQUESTS && System.nanoTime() - begun < LIMIT.toNanos());
    return nanos;
  }

  private static void send(DatabaseClient client) {
    try (ResultSet rows = client.singleUse().executeQuery(SMALL)) {
      while (rows.next()) {
        rows.getLong(0);
      }
    }
  }

  @Override
  public String toString() {
    return "A small request takes "
        + text(asRun)
        + (withoutProxy == null ? "" : "; without the proxy " + text(withoutProxy));
  }

  private static String text(Latencies latencies) {
    return "50%ile "
        + Latencies.millis(latencies.p50())
        + " ms, longest "
        + Latencies.millis(latencies.max())
        + " ms";
  }
}
