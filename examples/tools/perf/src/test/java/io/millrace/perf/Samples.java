package io.millrace.perf;

import java.time.Duration;
import java.util.Map;

/** Figures of runs that nobody ran. */
final class Samples {

  static final Workload WORKLOAD =
      new Workload(
          Mode.ASYNC_BATCH,
          2_000,
          10,
          1,
          200,
          50,
          Application.Kind.TRANSACTION,
          Duration.ofMillis(10),
          Duration.ZERO,
          Duration.ofSeconds(10));

  static final Latencies NONE = new Latencies(0, 0, 0, 0, 0, 0);

  static final RoundTrips ROUND_TRIPS =
      new RoundTrips(
          micros(50, 5_900, 6_000, 6_100, 6_200, 6_300), micros(50, 600, 601, 602, 603, 700));

  private Samples() {}

  static Latencies micros(long count, long p50, long p75, long p90, long p99, long max) {
    return new Latencies(count, p50 * 1_000, p75 * 1_000, p90 * 1_000, p99 * 1_000, max * 1_000);
  }

  /** All iterations done, in so many milliseconds, with such times of taking a value. */
  static Figures done(Workload workload, long millis, Latencies taking, long longestWait) {
    return some(workload, workload.iterations(), 0, 0, millis, taking, longestWait);
  }

  static Figures some(
      Workload workload,
      int taken,
      int duplicates,
      int failed,
      long millis,
      Latencies taking,
      long longestWait) {
    return some(workload, taken, duplicates, failed, 125, millis, taking, longestWait);
  }

  /** The first client that was cut off, if any, had been at it for so many milliseconds. */
  static Figures some(
      Workload workload,
      int taken,
      int duplicates,
      int failed,
      double unfinishedMillis,
      long millis,
      Latencies taking,
      long longestWait) {
    int unfinished = workload.iterations() - taken - failed > 0 ? workload.clients() : 0;
    return new Figures(
        workload.mode(),
        workload.label(),
        workload.clients(),
        workload.iterations(),
        workload.perTurn(),
        workload.application(),
        10,
        workload.warmUp().isZero() ? new WarmUp(0, 0, 0) : new WarmUp(700, 1, 800),
        taken,
        duplicates,
        failed,
        failed == 0 ? Map.of() : Map.of("SequenceTimeoutException", failed),
        unfinished,
        unfinished == 0 ? 0 : unfinishedMillis,
        millis,
        taken * 1000.0 / millis,
        micros(taken, 27_900, 512_000, 1_189_999, 2_703_500, 3_000_000),
        taking,
        micros(workload.clients(), 80_000, 80_000, 80_000, 90_000, 90_000),
        workload.mode().reserves()
            ? new Reserved(
                11,
                0,
                2_200,
                micros(11, 11_900, 12_000, 12_500, 14_000, 14_000),
                workload.mode().tellsReservation() ? longestWait : null,
                200,
                150)
            : null,
        22,
        3);
  }

  static Workload several(Workload workload, int perTransaction) {
    return new Workload(
        workload.mode(),
        workload.iterations(),
        workload.clients(),
        perTransaction,
        workload.blockSize(),
        workload.watermark(),
        workload.application(),
        workload.appLatency(),
        workload.warmUp(),
        workload.timeLimit());
  }
}
