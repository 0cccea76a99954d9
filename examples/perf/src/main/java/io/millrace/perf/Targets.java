package io.millrace.perf;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;

/**
 * What the generators are meant to reach where a round trip takes 5 ms and the database runs one
 * transaction at a time.
 */
final class Targets {

  static final double SHARED_RATIO = 20;
  static final double SPREAD_MILLIS = 2;
  static final long RESERVATIONS = 2;

  private static final int CLIENTS = 50;

  /** Many who reserve a value each abort one another; one or two may get more. */
  private static final List<Integer> CLIENTS_OF_NAIVE = List.of(1, 2, CLIENTS);

  private static final List<Integer> CLIENTS_OF_BATCHES = List.of(10, 50, 500);

  /** How far above the values taken during one reservation the watermark is put. */
  private static final int SAFETY = 2;

  /** The guide's block of 1,000 values is twenty times its watermark; this much is enough here. */
  private static final int WATERMARKS_A_BLOCK = 4;

  /**
   * A target and what was measured.
   *
   * @param text both, for people
   * @param met whether it was reached
   */
  record Check(String text, boolean met) {

    @Override
    public String toString() {
      return (met ? "met     " : "MISSED  ") + text;
    }
  }

  private final Function<Workload, Figures> runs;
  private final Workload base;

  /**
   * Takes the means to check with.
   *
   * @param runs runs a workload
   * @param base its iterations and limits are used in every run
   */
  Targets(Function<Workload, Figures> runs, Workload base) {
    this.runs = runs;
    this.base = base;
  }

  List<Check> check() {
    List<Check> checks = new ArrayList<>();
    Figures each = bestOfNaive();
    Figures shared = runs.apply(base.with(Mode.ASYNC, CLIENTS));
    checks.add(sharing(each, shared));
    for (int clients : CLIENTS_OF_BATCHES) {
      Workload byRule = byRule(base.with(Mode.ASYNC_BATCH, clients), reserved(shared).time().p99());
      checks.add(spread(runs.apply(byRule)));
    }
    for (int clients : CLIENTS_OF_BATCHES) {
      Workload guides =
          base.with(Mode.ASYNC_BATCH, clients).with(Guide.BATCH_SIZE, Guide.WATERMARK);
      checks.add(wait(runs.apply(guides)));
    }
    return checks;
  }

  /** The most that a transaction for each value can give. */
  private Figures bestOfNaive() {
    return CLIENTS_OF_NAIVE.stream()
        .map(clients -> runs.apply(base.with(Mode.ONE_TXN_EACH, clients)))
        .max(Comparator.comparingDouble(Figures::valuesPerSecond))
        .orElseThrow();
  }

  /**
   * The guide's rule: the watermark exceeds the values taken during one reservation at the highest
   * rate, which is that of clients that never wait.
   */
  static Workload byRule(Workload workload, long reservationMicros) {
    long applicationMicros = Math.max(1, workload.appLatency().dividedBy(Duration.ofNanos(1_000)));
    long during = 1 + workload.clients() * Math.max(1, reservationMicros) / applicationMicros;
    long watermark = SAFETY * during;
    return workload.with(WATERMARKS_A_BLOCK * watermark, watermark);
  }

  static Check sharing(Figures each, Figures shared) {
    double ratio = each.taken() == 0 ? 0 : shared.valuesPerSecond() / each.valuesPerSecond();
    return new Check(
        text(
            "%s, %d clients: %.0f values/s, %.1f times the %.1f of %s, which is best with %d clients;"
                + " at least %.0f times",
            shared.label(),
            shared.clients(),
            shared.valuesPerSecond(),
            ratio,
            each.valuesPerSecond(),
            each.label(),
            each.clients(),
            SHARED_RATIO),
        sound(shared) && ratio >= SHARED_RATIO);
  }

  static Check spread(Figures run) {
    double millis = (run.taking().p99() - run.taking().p50()) / 1e3;
    return new Check(
        text(
            "%s, %d clients: 99%%ile - 50%%ile of taking a value %.3f ms; at most %.0f ms",
            run.label(), run.clients(), millis, SPREAD_MILLIS),
        sound(run) && millis <= SPREAD_MILLIS);
  }

  static Check wait(Figures run) {
    long waited = reserved(run).longestWait();
    return new Check(
        text(
            "%s, %d clients: the longest wait is %d reservations, %s; at most %d",
            run.label(), run.clients(), waited, RunReport.millis(run.taking().max()), RESERVATIONS),
        sound(run) && waited <= RESERVATIONS);
  }

  private static Reserved reserved(Figures run) {
    return Objects.requireNonNull(run.reserved(), run::label);
  }

  private static boolean sound(Figures run) {
    return run.sound() && run.failed() == 0;
  }

  private static String text(String form, Object... figures) {
    return String.format(Locale.ROOT, form, figures);
  }
}
