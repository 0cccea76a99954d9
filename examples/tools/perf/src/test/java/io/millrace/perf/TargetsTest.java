package io.millrace.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TargetsTest {

  private static final Workload BASE = Samples.WORKLOAD;

  private static Figures run(Mode mode, long millis) {
    return Samples.done(BASE.with(mode, 50), millis, Samples.NONE, 0);
  }

  private static Latencies taking(long p50, long p99) {
    return Samples.micros(2_000, p50, p50, p50, p99, p99);
  }

  @Test
  void theWatermarkIsTwiceWhatIsTakenDuringAReservation() {
    // 500 clients that take a value every 10 ms, and 12 ms a reservation: 600 values.
    Workload byRule = Targets.byRule(BASE.with(Mode.ASYNC_BATCH, 500), 12_000_000);
    assertThat(byRule.watermark()).isEqualTo(2 * 601);
    assertThat(byRule.blockSize()).isEqualTo(4 * byRule.watermark());
    assertThat(byRule.clients()).isEqualTo(500);
  }

  @Test
  void theRuleGivesUsableSettingsWithoutAnyLatency() {
    Workload atOnce =
        new Workload(
            Mode.ASYNC_BATCH,
            1,
            1,
            1,
            200,
            50,
            Application.Kind.TIMER,
            Duration.ZERO,
            Duration.ZERO,
            Duration.ofSeconds(1));
    Workload byRule = Targets.byRule(atOnce, 0);
    assertThat(byRule.watermark()).isPositive().isLessThan(byRule.blockSize());
  }

  @Test
  void keepingUpIsMetFromFourFifthsOfTheLimitOn() {
    Figures limit = run(Mode.COUNTER, 800);
    assertThat(Targets.keepingUp(limit, run(Mode.BATCH, 1_000)).met()).isTrue();
    assertThat(Targets.keepingUp(limit, run(Mode.BATCH, 1_001)))
        .satisfies(check -> assertThat(check.met()).isFalse())
        .satisfies(check -> assertThat(check.text()).contains("0.80 of the 2500.0 of COUNTER"));
    Figures nothing = Samples.some(BASE, 0, 0, 0, 1_000, Samples.NONE, 0);
    assertThat(Targets.keepingUp(nothing, run(Mode.BATCH, 1_000)).met()).isFalse();
  }

  @Test
  void aTransactionIsComparedInRateAndRequestsAndTime() {
    Figures loop = run(Mode.BY_HAND, 1_500);
    assertThat(Targets.inTransaction(loop, run(Mode.SIMPLE, 1_000)).met()).isTrue();
    assertThat(Targets.inTransaction(loop, run(Mode.SIMPLE, 1_001)).met()).isFalse();
    Figures wasteful =
        Samples.some(BASE.with(Mode.SIMPLE, 50), 1_000, 0, 0, 125, 500, Samples.NONE, 0);
    assertThat(wasteful.requestsPerValue()).isGreaterThan(loop.requestsPerValue());
    assertThat(Targets.inTransaction(loop, wasteful).met()).isFalse();
    Figures starved = Samples.some(BASE.with(Mode.BY_HAND, 50), 49, 0, 1, 1_000, Samples.NONE, 0);
    assertThat(Targets.inTransaction(starved, run(Mode.SIMPLE, 1_000)))
        .satisfies(check -> assertThat(check.met()).isTrue())
        .satisfies(check -> assertThat(check.text()).contains("gave 49 values, fewer than"))
        .satisfies(check -> assertThat(check.text()).doesNotContain("at most", "times"));
  }

  @Test
  void sharingIsMetFromTenTimesOn() {
    assertThat(Targets.sharing(run(Mode.ONE_TXN_EACH, 10_000), run(Mode.ASYNC, 1_000)))
        .satisfies(check -> assertThat(check.met()).isTrue())
        .satisfies(check -> assertThat(check.text()).contains("10.0 times the 200.0"))
        .asString()
        .startsWith("met ");
    assertThat(Targets.sharing(run(Mode.ONE_TXN_EACH, 9_900), run(Mode.ASYNC, 1_000)))
        .satisfies(check -> assertThat(check.met()).isFalse())
        .asString()
        .startsWith("MISSED ")
        .contains("9.9 times");
  }

  @Test
  void sharingIsMissedWhereTheNaiveModeGaveNothing() {
    Figures nothing = Samples.some(BASE, 0, 0, 0, 1_000, Samples.NONE, 0);
    assertThat(Targets.sharing(nothing, run(Mode.ASYNC, 1_000)).met()).isFalse();
  }

  @Test
  void theSpreadIsMetUpToTwoMilliseconds() {
    assertThat(Targets.spread(Samples.done(BASE, 1_000, taking(1_000, 3_000), 0)).met()).isTrue();
    assertThat(Targets.spread(Samples.done(BASE, 1_000, taking(1_000, 3_001), 0)).met()).isFalse();
  }

  @Test
  void theWaitIsMetUpToTwoReservations() {
    assertThat(Targets.wait(Samples.done(BASE, 1_000, taking(1, 1), 2)).met()).isTrue();
    assertThat(Targets.wait(Samples.done(BASE, 1_000, taking(1, 1), 3)).met()).isFalse();
  }

  @Test
  void aRunWithErrorsOrDoubledValuesMeetsNothing() {
    Figures failed = Samples.some(BASE, 1_999, 0, 1, 1_000, taking(1, 1), 0);
    Figures doubled = Samples.some(BASE, 2_000, 1, 0, 1_000, taking(1, 1), 0);
    for (Figures bad : List.of(failed, doubled)) {
      assertThat(Targets.spread(bad).met()).isFalse();
      assertThat(Targets.wait(bad).met()).isFalse();
      assertThat(Targets.sharing(run(Mode.ONE_TXN_EACH, 100_000), bad).met()).isFalse();
    }
  }

  @Test
  void aClientThatHangsWhenTheTimeIsUpMissesTheTarget() {
    Figures cut = Samples.some(BASE, 1_999, 0, 0, 125, 1_000, taking(1, 1), 0);
    assertThat(Targets.wait(cut).met()).isTrue();
    Figures hanging = Samples.some(BASE, 1_999, 0, 0, 1_000, 1_000, taking(1, 1), 0);
    assertThat(Targets.wait(hanging).met()).isFalse();
    assertThat(Targets.spread(hanging).met()).isFalse();
  }

  @Test
  void theNaiveModeIsTakenAtTheNumberOfClientsThatIsBestForIt() {
    Targets targets =
        new Targets(
            workload ->
                Samples.done(
                    workload,
                    workload.mode() == Mode.ONE_TXN_EACH && workload.clients() == 10
                        ? 10_000
                        : 20_000,
                    taking(1, 1),
                    1),
            BASE);
    assertThat(targets.check().get(6).text())
        .contains("the 200.0 of ONE_TXN_EACH, which is best with 10 clients");
  }

  @Test
  void eachTargetHasItsRuns() {
    List<Workload> asked = new ArrayList<>();
    List<Targets.Check> checks =
        new Targets(
                workload -> {
                  asked.add(workload);
                  return Samples.done(workload, 1_000, taking(1, 1), 1);
                },
                BASE)
            .check();

    List<Workload> beside = asked.subList(0, 10);
    assertThat(beside)
        .extracting(Workload::mode)
        .containsExactlyElementsOf(
            Stream.of(10, 50)
                .flatMap(
                    clients ->
                        Stream.of(
                            Mode.COUNTER, Mode.BATCH, Mode.ASYNC_BATCH, Mode.BY_HAND, Mode.SIMPLE))
                .toList());
    assertThat(beside).allMatch(run -> run.application() == Application.Kind.TRANSACTION);
    assertThat(beside).allMatch(run -> run.warmUp().isZero());
    asked.subList(0, 10).clear();
    assertThat(asked).allMatch(run -> run.application() == Application.Kind.TIMER);
    assertThat(asked).allMatch(run -> run.warmUp().toSeconds() == 1);
    assertThat(asked.subList(0, 7)).allMatch(workload -> workload.mode() == Mode.ONE_TXN_EACH);
    assertThat(asked.get(7).mode()).isEqualTo(Mode.ASYNC);
    assertThat(asked.subList(8, 14)).allMatch(workload -> workload.mode() == Mode.ASYNC_BATCH);
    assertThat(asked)
        .extracting(Workload::clients)
        .containsExactly(1, 2, 3, 5, 10, 20, 50, 50, 10, 50, 500, 10, 50, 500);
    // The sample's reservations take 14 ms at the 99 percentile.
    assertThat(asked.subList(8, 11))
        .extracting(Workload::watermark)
        .containsExactly(30L, 142L, 1_402L);
    assertThat(asked.subList(11, 14))
        .allMatch(workload -> workload.blockSize() == 200 && workload.watermark() == 50);
    assertThat(checks).hasSize(13);
    assertThat(checks.subList(7, 13)).allMatch(Targets.Check::met);
    assertThat(checks.get(6).met()).isFalse();
  }
}
