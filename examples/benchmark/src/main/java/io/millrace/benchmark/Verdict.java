package io.millrace.benchmark;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * A target, and whether a run met it.
 *
 * @param measured empty if the run did not measure it
 */
record Verdict(Target target, OptionalDouble measured) {

  /**
   * What a figure has to be.
   *
   * @param atLeast whether the limit is the smallest figure that will do; else it is the largest
   */
  record Target(
      String text,
      boolean atLeast,
      double limit,
      String unit,
      Function<Results, OptionalDouble> figure) {

    String wanted() {
      return (atLeast ? "≥ " : "≤ ") + number(limit, unit);
    }
  }

  static final List<Target> TARGETS =
      List.of(
          faster("values() / Flux.range", 0.9, "Streams.values", "Streams.range", 1),
          faster("values() / CosId's segment chain", 3, "Streams.values", "Streams.cosIdChain", 1),
          faster("values() / CosId's segment chain", 8, "Streams.values", "Streams.cosIdChain", 2),
          faster("next() / Mono.fromSupplier", 1.0, "Singles.next", "Singles.fromSupplier", 1),
          faster("next() / Mono.fromSupplier", 0.8, "Singles.next", "Singles.fromSupplier", 2),
          allocated("values(), allocated a value", 24, "Streams.values"),
          allocated("next(), allocated a value", 64, "Singles.next"),
          faster("assign / map", 0.5, "Elements.assign", "Elements.map", 1),
          new Target(
              "cost of a value with 10,000 waiters / with 10",
              false,
              1.2,
              "x",
              results -> results.ratio(waiters("10"), waiters("10000"))),
          idle(IdleHeap.OWN),
          idle(IdleHeap.BY_NAME));

  private static Case waiters(String number) {
    return Case.of("Waiters.next", 1).with("waiters", number);
  }

  private static Target faster(
      String text, double limit, String benchmark, String peer, int threads) {
    return new Target(
        text + (threads == 1 ? ", 1 thread" : ", " + threads + " threads"),
        true,
        limit,
        "x",
        results -> results.ratio(Case.of(benchmark, threads), Case.of(peer, threads)));
  }

  private static Target allocated(String text, double limit, String benchmark) {
    return new Target(
        text,
        false,
        limit,
        "B",
        results -> results.median(Case.of(benchmark, 1), Measured::bytesPerValue));
  }

  private static Target idle(String what) {
    return new Target(
        "heap of an idle sequence, " + what, false, 1_024, "B", results -> results.heap(what));
  }

  static List<Verdict> of(Results results) {
    return TARGETS.stream()
        .map(target -> new Verdict(target, target.figure().apply(results)))
        .toList();
  }

  /** Bytes are whole ones: what a block costs, spread over its values, is less than one. */
  private static double rounded(double figure, String unit) {
    return unit.equals("B") ? Math.rint(figure) : figure;
  }

  boolean isMet() {
    if (measured.isEmpty()) {
      return false;
    }
    double figure = rounded(measured.getAsDouble(), target.unit());
    return target.atLeast() ? figure >= target.limit() : figure <= target.limit();
  }

  String figure() {
    return measured.isEmpty() ? "" : number(measured.getAsDouble(), target.unit());
  }

  String word() {
    return measured.isEmpty() ? "not measured" : isMet() ? "met" : "NOT met";
  }

  private static String number(double figure, String unit) {
    return unit.equals("B")
        ? String.format(Locale.ROOT, "%,.1f B", figure).replace(".0 B", " B")
        : String.format(Locale.ROOT, "%.2f", figure) + unit;
  }
}
