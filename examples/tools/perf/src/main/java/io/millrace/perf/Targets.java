package io.millrace.perf;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;

/**
 * The targets for the generators, with a round trip of 5 ms and a database that runs one
 * transaction at a time.
 */
final class Targets {

  static final double LIMIT_SHARE = 0.8;
  static final double RATIO_TO_BY_HAND = 1.5;
  static final double SHARED_RATIO = 10;
  static final double SPREAD_MILLIS = 2;
  static final long RESERVATIONS = 2;

  private static final int CLIENTS = 50;

  /** One client leaves the database idle, and many abort each other; the best is in between. */
  private static final List<Integer> CLIENTS_OF_NAIVE = List.of(1, 2, 3, 5, 10, 20, CLIENTS);

  private static final List<Integer> CLIENTS_OF_BATCHES = List.of(10, 50, 500);

  private static final List<Integer> CLIENTS_WITH_TRANSACTIONS = List.of(10, 50);

  /** The spread and the wait are those of a generator in use, and not of its first values. */
  private static final Duration WARM_UP = Duration.ofSeconds(1);

  /** A client that has been in an iteration for this long when the time is up counts as hanging. */
  private static final double HANGING_MILLIS = 1_000;

  /** The watermark is this many times the values taken during one reservation. */
  private static final int SAFETY = 2;

  /** A lower limit, because an application that takes no time would need an infinite watermark. */
  private static final long LEAST_NANOS = 1_000;

  /** In the guide a block of 1,000 values is 20 times its watermark; this factor is enough here. */
  private static final int WATERMARKS_A_BLOCK = 4;

  /**
   * A target and its measured figure.
   *
   * @param text both, to print
   * @param met whether the target was reached
   */
  record Check(String text, boolean met) {

    @Override
    public String toString() {
      return (met ? "met     " : "MISSED  ") + text;
    }
  }

  private final Function<Workload, Figures> runs;
  private final Workload base;

  /** The workload without the application's transactions, which would limit the generators. */
  private final Workload alone;

  /**
   * Creates a check of the targets.
   *
   * @param runs runs a workload
   * @param base the workload whose iterations and limits every run uses
   */
  Targets(Function<Workload, Figures> runs, Workload base) {
    this.runs = runs;
    this.base = base;
    this.alone = base.withTimerOnly(WARM_UP);
  }

  List<Check> check() {
    List<Check> checks = new ArrayList<>();
    for (int clients : CLIENTS_WITH_TRANSACTIONS) {
      Figures limit = runs.apply(base.with(Mode.COUNTER, clients));
      for (Mode mode : List.of(Mode.BATCH, Mode.ASYNC_BATCH)) {
        checks.add(keepingUp(limit, runs.apply(base.with(mode, clients))));
      }
      Figures byHand = runs.apply(base.with(Mode.BY_HAND, clients));
      checks.add(inTransaction(byHand, runs.apply(base.with(Mode.SIMPLE, clients))));
    }
    Figures each = bestOfNaive();
    Figures shared = runs.apply(alone.with(Mode.ASYNC, CLIENTS));
    checks.add(sharing(each, shared));
    for (int clients : CLIENTS_OF_BATCHES) {
      Workload byRule =
          byRule(alone.with(Mode.ASYNC_BATCH, clients), reserved(shared).time().p99());
      checks.add(spread(runs.apply(byRule)));
    }
    for (int clients : CLIENTS_OF_BATCHES) {
      Workload guides =
          alone
              .with(Mode.ASYNC_BATCH, clients)
              .with(Workload.GUIDES_BLOCK_SIZE, Workload.GUIDES_WATERMARK);
      checks.add(wait(runs.apply(guides)));
    }
    return checks;
  }

  /** The highest rate with a transaction for each value. */
  private Figures bestOfNaive() {
    return CLIENTS_OF_NAIVE.stream()
        .map(clients -> runs.apply(alone.with(Mode.ONE_TXN_EACH, clients)))
        .max(Comparator.comparingDouble(Figures::valuesPerSecond))
        .orElseThrow();
  }

  /**
   * Applies the guide's rule: the watermark exceeds the values taken during one reservation at the
   * highest rate. That is the rate of clients that never wait.
   */
  static Workload byRule(Workload workload, long reservationNanos) {
    long applicationNanos = Math.max(LEAST_NANOS, workload.appLatency().toNanos());
    long during = 1 + workload.clients() * Math.max(1, reservationNanos) / applicationNanos;
    long watermark = SAFETY * during;
    return workload.with(WATERMARKS_A_BLOCK * watermark, watermark);
  }

  static Check keepingUp(Figures limit, Figures run) {
    double share = ratio(run, limit);
    return new Check(
        text(
            "%s, %s: %.1f values/s, %.2f of the %.1f of %s; at least %.1f",
            run.label(),
            clients(run),
            run.valuesPerSecond(),
            share,
            limit.valuesPerSecond(),
            limit.label(),
            LIMIT_SHARE),
        run.sound() && share >= LIMIT_SHARE);
  }

  static Check inTransaction(Figures byHand, Figures run) {
    if (byHand.taken() < byHand.clients()) {
      return new Check(
          text(
              "%s, %s: %.1f values/s; %s gave %s, fewer than it has clients, so nothing else is"
                  + " compared",
              run.label(),
              clients(run),
              run.valuesPerSecond(),
              byHand.label(),
              new Count(byHand.taken(), "value")),
          run.sound());
    }
    double ratio = ratio(run, byHand);
    return new Check(
        text(
            "%s, %s: %.1f values/s, %.2f times the %.1f of %s, at least %.1f times; %.1f requests a"
                + " value, at most its %.1f; 50%%ile %.1f ms, at most its %.1f ms",
            run.label(),
            clients(run),
            run.valuesPerSecond(),
            ratio,
            byHand.valuesPerSecond(),
            byHand.label(),
            RATIO_TO_BY_HAND,
            run.requestsPerValue(),
            byHand.requestsPerValue(),
            run.iteration().p50() / 1e6,
            byHand.iteration().p50() / 1e6),
        run.sound()
            && ratio >= RATIO_TO_BY_HAND
            && run.requestsPerValue() <= byHand.requestsPerValue()
            && run.iteration().p50() <= byHand.iteration().p50());
  }

  /** The ratio of two rates; 0 if the second run gave nothing. */
  private static double ratio(Figures run, Figures other) {
    return other.taken() == 0 ? 0 : run.valuesPerSecond() / other.valuesPerSecond();
  }

  static Check sharing(Figures each, Figures shared) {
    double ratio = ratio(shared, each);
    return new Check(
        text(
            "%s, %s: %.0f values/s, %.1f times the %.1f of %s, which is best with %s; at least %.0f"
                + " times",
            shared.label(),
            clients(shared),
            shared.valuesPerSecond(),
            ratio,
            each.valuesPerSecond(),
            each.label(),
            clients(each),
            SHARED_RATIO),
        each.sound() && sound(shared) && ratio >= SHARED_RATIO);
  }

  static Check spread(Figures run) {
    double millis = (run.taking().p99() - run.taking().p50()) / 1e6;
    return new Check(
        text(
            "%s, %s: 99%%ile - 50%%ile of taking a value %.3f ms; at most %.0f ms",
            run.label(), clients(run), millis, SPREAD_MILLIS),
        sound(run) && millis <= SPREAD_MILLIS);
  }

  static Check wait(Figures run) {
    long waited = Objects.requireNonNull(reserved(run).longestWait(), run::label);
    return new Check(
        text(
            "%s, %s: the longest wait is %s, %s ms; at most %d",
            run.label(),
            clients(run),
            new Count(waited, "reservation"),
            Latencies.millis(run.taking().max()),
            RESERVATIONS),
        sound(run) && waited <= RESERVATIONS);
  }

  private static Reserved reserved(Figures run) {
    return Objects.requireNonNull(run.reserved(), run::label);
  }

  private static boolean sound(Figures run) {
    return run.sound() && run.longestUnfinishedMillis() < HANGING_MILLIS;
  }

  private static Count clients(Figures run) {
    return new Count(run.clients(), "client");
  }

  private static String text(String form, Object... figures) {
    return String.format(Locale.ROOT, form, figures);
  }
}
