package io.millrace.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * All results of a run.
 *
 * @param machine the JVM and the machine of the run
 */
record Results(
    String date, String command, String machine, List<Measured> measured, List<Heap> heap) {

  /** The runs of a case, by round. */
  private Map<Integer, Measured> runs(Case of) {
    Map<Integer, Measured> runs = new TreeMap<>();
    measured.stream().filter(run -> run.of().equals(of)).forEach(run -> runs.put(run.round(), run));
    return runs;
  }

  /** The cases that were run, in that order. */
  List<Case> cases() {
    return measured.stream().map(Measured::of).distinct().toList();
  }

  /** The median over the rounds; empty if the case was not run. */
  OptionalDouble median(Case of, ToDoubleFunction<Measured> figure) {
    return median(figures(of, figure));
  }

  /** The ratio of the rates of two cases, for each round that has both. */
  List<Double> ratios(Case fast, Case peer) {
    Map<Integer, Measured> peers = runs(peer);
    List<Double> ratios = new ArrayList<>();
    runs(fast)
        .forEach(
            (round, run) -> {
              Measured beside = peers.get(round);
              if (beside != null) {
                ratios.add(run.valuesPerMicrosecond() / beside.valuesPerMicrosecond());
              }
            });
    return ratios;
  }

  /** A figure of a case in each round. */
  List<Double> figures(Case of, ToDoubleFunction<Measured> figure) {
    return runs(of).values().stream().map(figure::applyAsDouble).toList();
  }

  List<Double> heap(String what) {
    return heap.stream()
        .filter(size -> size.what().equals(what))
        .map(Heap::bytesPerSequence)
        .toList();
  }

  static OptionalDouble median(List<Double> figures) {
    List<Double> sorted = figures.stream().sorted().toList();
    int half = sorted.size() / 2;
    if (sorted.isEmpty()) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(
        sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2);
  }
}
