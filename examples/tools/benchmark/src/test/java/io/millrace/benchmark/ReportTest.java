package io.millrace.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTest {

  private static Measured measured(String benchmark, int round, double speed, double bytes) {
    return new Measured(Case.of(benchmark, 1), round, speed, bytes);
  }

  private static Results results(List<Measured> measured, List<Heap> heap) {
    return new Results("2026-01-02 03:04", "./millrace bench", "a machine", measured, heap);
  }

  private static Verdict verdict(Results results, String text) {
    return Verdict.of(results).stream()
        .filter(each -> each.target().text().equals(text))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aRatioIsTheMedianOfTheRatiosOfTheRounds() {
    List<Measured> runs = new ArrayList<>();
    double[] own = {90, 30, 500};
    double[] peers = {100, 10, 500}; // ratios 0.9, 3 and 1
    for (int round = 1; round <= 3; round++) {
      runs.add(measured("Streams.values", round, own[round - 1], 24));
      runs.add(measured("Streams.generate", round, peers[round - 1], 16));
    }

    Verdict verdict = verdict(results(runs, List.of()), "values() / Flux.generate, 1 thread");

    assertThat(verdict.figure()).isEqualTo("1.00x (0.90x to 3.00x)");
    assertThat(verdict.isMet()).isTrue();
  }

  @Test
  void aTargetIsMetAtItsLimitAndMissedBeyond() {
    Results at = results(List.of(), List.of(new Heap(IdleHeap.OWN, 1_024)));
    Results beyond = results(List.of(), List.of(new Heap(IdleHeap.OWN, 1_024.1)));
    String text = "heap of an idle sequence, a generator of its own";

    assertThat(verdict(at, text).label()).isEqualTo("met");
    assertThat(verdict(beyond, text).label()).isEqualTo("NOT met");

    Results fast = results(speeds(50, 100), List.of());
    Results slow = results(speeds(49, 100), List.of());
    assertThat(verdict(fast, "assign / map, 1 thread").label()).isEqualTo("met");
    assertThat(verdict(slow, "assign / map, 1 thread").label()).isEqualTo("NOT met");
  }

  private static List<Measured> speeds(double assign, double map) {
    return List.of(measured("Elements.assign", 1, assign, 0), measured("Elements.map", 1, map, 0));
  }

  @Test
  void aShareOfAReservationIsAllowedBesideTheValue() {
    String text = "values(), bytes allocated a value";

    Results shared = results(List.of(measured("Streams.values", 1, 100, 24.4)), List.of());
    Results more = results(List.of(measured("Streams.values", 1, 100, 25.1)), List.of());

    assertThat(verdict(shared, text).label()).isEqualTo("met");
    assertThat(verdict(shared, text).figure()).isEqualTo("24.4 B");
    assertThat(verdict(more, text).label()).isEqualTo("NOT met");
  }

  @Test
  void everyTargetHangsOnCasesThatAreRun() {
    List<Measured> all = Case.all().stream().map(each -> new Measured(each, 1, 100, 24)).toList();
    List<Heap> heap = List.of(new Heap(IdleHeap.OWN, 900), new Heap(IdleHeap.BY_NAME, 900));

    assertThat(Verdict.of(results(all, heap)))
        .extracting(Verdict::label)
        .hasSize(17)
        .doesNotContain("not measured");
    assertThat(Case.all()).containsAll(Verdict.cases());
  }

  @Test
  void theCostWithManyWaitersIsHigherWhereFewerValuesComeInATime() {
    Case few = Case.of("Waiters.next", 1).with("waiters", "10");
    Case many = Case.of("Waiters.next", 1).with("waiters", "10000");
    Results results =
        results(List.of(new Measured(few, 1, 12, 100), new Measured(many, 1, 8, 100)), List.of());

    Verdict verdict = verdict(results, "cost of a value with 10,000 waiters / with 10");

    assertThat(verdict.figure()).isEqualTo("1.50x");
    assertThat(verdict.isMet()).isFalse();
  }

  @Test
  void whatWasNotMeasuredIsNotCalledMet() {
    assertThat(Verdict.of(results(List.of(), List.of())))
        .hasSize(17)
        .allSatisfy(verdict -> assertThat(verdict.label()).isEqualTo("not measured"));
  }

  @Test
  void theTablesShowFiguresAndVerdicts() {
    Results results = results(speeds(55, 100), List.of(new Heap(IdleHeap.OWN, 2_000)));

    Report report = new Report(results);

    assertThat(report.text())
        .contains("./millrace bench, 2026-01-02 03:04, a machine")
        .containsPattern("Elements.assign, 1 thread +55.0 +18.18 +0.0")
        .containsPattern("assign / map, 1 thread +≥ 0.50x +0.55x +met")
        .containsPattern("a generator of its own +≤ 1,024 B +2,000 B +NOT met");
  }
}
