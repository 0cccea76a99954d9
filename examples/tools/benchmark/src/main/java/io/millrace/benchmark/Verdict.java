package io.millrace.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * A target, and whether a run met it. The median of the rounds counts.
 *
 * @param measured one figure for each round; empty if the run did not measure it
 */
record Verdict(Target target, List<Double> measured) {

  /**
   * The limit for a figure.
   *
   * @param atLeast whether the limit is the smallest allowed figure; else it is the largest
   * @param cases the cases to run for it
   */
  record Target(
      String text,
      boolean atLeast,
      double limit,
      Unit unit,
      List<Case> cases,
      Function<Results, List<Double>> figures) {

    String wanted() {
      return (atLeast ? "≥ " : "≤ ") + unit.text(limit);
    }
  }

  /** The unit of a figure. */
  enum Unit {
    TIMES,
    BYTES;

    private String text(double figure) {
      return this == TIMES
          ? String.format(Locale.ROOT, "%.2fx", figure)
          : String.format(Locale.ROOT, "%,.1f B", figure).replace(".0 B", " B");
    }
  }

  static final List<Target> TARGETS =
      List.of(
          faster("values() / a loop that boxes", 0.75, "Streams.values", "Streams.longRange", 1),
          faster("values() / Flux.generate", 1, "Streams.values", "Streams.generate", 1),
          faster("values() / CosId, boxed", 1, "Streams.values", "Streams.cosIdChainBoxed", 1),
          faster("values() / CosId, boxed", 1, "Streams.values", "Streams.cosIdChainBoxed", 2),
          faster(
              "values() by default / Flux.generate",
              1,
              "Streams.valuesByDefault",
              "Streams.generate",
              1),
          new Target(
              "values() by default, 2 threads / 1 thread",
              true,
              1,
              Unit.TIMES,
              List.of(byDefault(1), byDefault(2)),
              results -> results.ratios(byDefault(2), byDefault(1))),
          faster("next() / Mono.fromSupplier", 1.0, "Singles.next", "Singles.fromSupplier", 1),
          faster("next() / Mono.fromSupplier", 0.8, "Singles.next", "Singles.fromSupplier", 2),
          allocated("values(), bytes allocated a value", 25, "Streams.values"),
          allocated("next(), bytes allocated a value", 64, "Singles.next"),
          faster("assign / map", 0.5, "Elements.assign", "Elements.map", 1),
          faster(
              "a pipeline / the same by hand",
              0.8,
              "Elements.pipeline",
              "Elements.pipelineByHand",
              1),
          new Target(
              "cost of a value with 10,000 waiters / with 10",
              false,
              1.2,
              Unit.TIMES,
              List.of(waiters("10"), waiters("10000")),
              results -> results.ratios(waiters("10"), waiters("10000"))),
          new Target(
              "cost of a value by name of 10,000 / of a counter in a map",
              false,
              2,
              Unit.TIMES,
              List.of(byName("counterInMap"), byName("nextByName")),
              results -> results.ratios(byName("counterInMap"), byName("nextByName"))),
          new Target(
              "cost of an eviction among 100,000 generators / among 100",
              false,
              2,
              Unit.TIMES,
              List.of(evictions("100"), evictions("100000")),
              results -> results.ratios(evictions("100"), evictions("100000"))),
          idle(IdleHeap.OWN, 1_024),
          idle(IdleHeap.BY_NAME, 1_100));

  private static Case byDefault(int threads) {
    return Case.of("Streams.valuesByDefault", threads);
  }

  private static Case waiters(String number) {
    return Case.of("Waiters.next", 1).with("waiters", number);
  }

  private static Case byName(String method) {
    return Case.of("Sequences." + method, 1).with("sequences", "10000");
  }

  private static Case evictions(String generators) {
    return Case.of("Evictions.next", 1).with("generators", generators);
  }

  private static Target faster(
      String text, double limit, String benchmark, String peer, int threads) {
    Case own = Case.of(benchmark, threads);
    Case other = Case.of(peer, threads);
    return new Target(
        text + (threads == 1 ? ", 1 thread" : ", " + threads + " threads"),
        true,
        limit,
        Unit.TIMES,
        List.of(own, other),
        results -> results.ratios(own, other));
  }

  /** A boxed long has 24 bytes; a value's share of its reservation is less than one byte. */
  private static Target allocated(String text, double limit, String benchmark) {
    Case of = Case.of(benchmark, 1);
    return new Target(
        text,
        false,
        limit,
        Unit.BYTES,
        List.of(of),
        results -> results.figures(of, Measured::bytesPerValue));
  }

  private static Target idle(String what, double limit) {
    return new Target(
        "heap of an idle sequence, " + what,
        false,
        limit,
        Unit.BYTES,
        List.of(),
        results -> results.heap(what));
  }

  /** The cases of all targets, which run in every round. */
  static List<Case> cases() {
    return TARGETS.stream().flatMap(target -> target.cases().stream()).distinct().toList();
  }

  static List<Verdict> of(Results results) {
    return TARGETS.stream()
        .map(target -> new Verdict(target, target.figures().apply(results)))
        .toList();
  }

  boolean isMet() {
    return Results.median(measured).stream()
        .anyMatch(figure -> target.atLeast() ? figure >= target.limit() : figure <= target.limit());
  }

  /** The median; with the smallest and the largest figure if these differ. */
  String figure() {
    if (measured.isEmpty()) {
      return "";
    }
    List<String> sorted = new ArrayList<>();
    measured.stream().sorted().map(target.unit()::text).forEach(sorted::add);
    String median = target.unit().text(Results.median(measured).orElseThrow());
    String lowest = sorted.get(0);
    String highest = sorted.get(sorted.size() - 1);
    return lowest.equals(highest) ? median : median + " (" + lowest + " to " + highest + ")";
  }

  String label() {
    return measured.isEmpty() ? "not measured" : isMet() ? "met" : "NOT met";
  }
}
