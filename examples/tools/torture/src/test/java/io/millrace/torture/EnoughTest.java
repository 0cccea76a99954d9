package io.millrace.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class EnoughTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Faults faults = new Faults();

  private void happened(Faults.Kind kind, int times) {
    for (int i = 0; i < times; i++) {
      faults.add(kind);
    }
  }

  private static ModeResult result(Mode mode, long received, long pairs) {
    return new ModeResult(mode, received, 1, 0, OptionalLong.empty(), pairs);
  }

  @Test
  void aRunWithFaultsAndValuesIsEnough() {
    happened(Faults.Kind.KILL, 6);
    happened(Faults.Kind.PAUSE, 1);
    happened(Faults.Kind.RENEWAL, 1);
    happened(Faults.Kind.LEAVE, 1);

    assertThat(
            Enough.missing(
                MINUTE,
                faults,
                List.of(result(Mode.BATCH, 1_200, 0), result(Mode.ORDERED, 60, 100_000))))
        .isEmpty();
  }

  @Test
  void whatDidNotHappenIsNamed() {
    happened(Faults.Kind.KILL, 5);

    assertThat(
            Enough.missing(
                MINUTE,
                faults,
                List.of(result(Mode.BATCH, 1_199, 0), result(Mode.ORDERED, 59, 99_999))))
        .containsExactly(
            "kills: at least 6, was 5",
            "PAUSE faults: at least 1, was 0",
            "RENEWAL faults: at least 1, was 0",
            "LEAVE faults: at least 1, was 0",
            "BATCH values: at least 1200, was 1199",
            "ORDERED values: at least 60, was 59",
            "pairs in order: at least 100000, was 99999");
  }

  private static Report report(
      List<Violation> violations, List<Violation> late, List<String> missing) {
    return new Report(new Faults(), List.of(), 0, 0, violations, late, missing);
  }

  private static String printed(Report report) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    report.print(new PrintStream(out, true, StandardCharsets.UTF_8));
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void tooLittleIsNotProvedAndBreaksNoPromise() {
    Report report = report(List.of(), List.of(), List.of("kills: at least 10, was 9"));

    assertThat(report.exitCode()).isEqualTo(Torture.NOT_PROVED).isEqualTo(4);
    assertThat(printed(report))
        .contains("NOT PROVED, because too little happened:", "  kills: at least 10, was 9")
        .doesNotContain("BROKEN", "No promise was broken");
  }

  @Test
  void aBrokenPromiseIsBrokenHoweverLittleHappened() {
    Report report = report(List.of(new Violation("unique", "5")), List.of(), List.of("kills"));

    assertThat(report.exitCode()).isEqualTo(Torture.BROKEN).isEqualTo(1);
    assertThat(printed(report)).contains("BROKEN:", "unique: 5", "NOT PROVED");
    assertThat(report(List.of(), List.of(), List.of()).exitCode()).isZero();
  }

  @Test
  void lateValuesAreNotProvedOnASlowMachineAndBrokenOnAnyOther() {
    List<Violation> late = List.of(new Violation("values flow again", "process 1 received none"));
    Report slow = report(List.of(), late, List.of("kills"));
    Report other = report(List.of(), late, List.of());

    assertThat(slow.exitCode()).isEqualTo(Torture.NOT_PROVED);
    assertThat(printed(slow))
        .contains("NOT PROVED", "process 1 received none")
        .doesNotContain("BROKEN");
    assertThat(other.exitCode()).isEqualTo(Torture.BROKEN);
    assertThat(printed(other)).contains("BROKEN:", "values flow again: process 1 received none");
  }
}
