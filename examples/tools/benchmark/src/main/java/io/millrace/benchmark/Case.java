package io.millrace.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One benchmark with its number of threads and its parameters.
 *
 * @param benchmark its class and method, as in {@code Streams.values}
 * @param parameters by name; the others have the benchmark's defaults
 */
record Case(String benchmark, Map<String, String> parameters, int threads) {

  /** All cases. Peers are next to each other, so a disturbance of the machine affects both. */
  static List<Case> all() {
    List<Case> cases = new ArrayList<>();
    for (int threads : new int[] {1, 2, 4}) {
      for (String method :
          List.of(
              "values",
              "longRange",
              "valuesByDefault",
              "generate",
              "range",
              "cosIdChain",
              "valuesTake",
              "cosIdSegment",
              "atomicLong")) {
        cases.add(of("Streams." + method, threads));
      }
      cases.add(of("Singles.next", threads));
      cases.add(of("Singles.fromSupplier", threads));
    }
    for (int threads : new int[] {1, 2}) {
      cases.add(of("Streams.cosIdChainBoxed", threads));
      cases.add(of("Streams.values", threads).with("blockSize", "100000"));
    }
    for (String method : List.of("map", "assign", "zipWithRange", "pipeline", "pipelineByHand")) {
      cases.add(of("Elements." + method, 1));
    }
    for (String waiters : List.of("10", "1000", "10000")) {
      cases.add(of("Waiters.next", 1).with("waiters", waiters));
    }
    for (String sequences : List.of("1", "1000", "10000")) {
      cases.add(of("Sequences.next", 1).with("sequences", sequences));
      cases.add(of("Sequences.nextOfHandle", 1).with("sequences", sequences));
      cases.add(of("Sequences.nextByName", 1).with("sequences", sequences));
      cases.add(of("Sequences.counterInMap", 1).with("sequences", sequences));
    }
    for (String generators : List.of("100", "100000")) {
      cases.add(of("Evictions.next", 1).with("generators", generators));
    }
    for (String size : List.of("1", "100", "1000", "100000")) {
      cases.add(of("BlockSizes.values", 1).with("blockSize", size));
      cases.add(of("BlockSizes.next", 1).with("blockSize", size));
      cases.add(of("BlockSizes.valuesScheduled", 1).with("blockSize", size));
    }
    return List.copyOf(cases);
  }

  static Case of(String benchmark, int threads) {
    return new Case(benchmark, Map.of(), threads);
  }

  Case with(String parameter, String value) {
    Map<String, String> more = new TreeMap<>(parameters);
    more.put(parameter, value);
    return new Case(benchmark, Map.copyOf(more), threads);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(benchmark);
    new TreeMap<>(parameters)
        .forEach((name, value) -> text.append(' ').append(name).append('=').append(value));
    return text.append(threads == 1 ? ", 1 thread" : ", " + threads + " threads").toString();
  }
}
