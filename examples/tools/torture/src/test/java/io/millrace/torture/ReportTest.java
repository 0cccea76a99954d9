package io.millrace.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {

  private static Checker.Result result(Mode mode, long received) {
    return new Checker.Result(mode, received, 0, 0, 0, 0);
  }

  private static Report report(List<String> violations, List<String> late, List<String> missing) {
    return new Report(Map.of(), List.of(), violations, late, missing);
  }

  private static String printed(Report report) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    report.print(new PrintStream(out, true, StandardCharsets.UTF_8));
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void namesWhatDidNotHappen() {
    assertThat(
            Report.missing(
                60,
                Map.of(Fault.KILL, 6L, Fault.PAUSE, 1L),
                List.of(result(Mode.BATCH, 1_200), result(Mode.WRITER, 60))))
        .isEmpty();
    assertThat(
            Report.missing(
                60,
                Map.of(Fault.KILL, 5L),
                List.of(result(Mode.BATCH, 1_199), result(Mode.WRITER, 59))))
        .containsExactly(
            "kills: at least 6, was 5",
            "pauses: at least 1, was 0",
            "BATCH values: at least 1200, was 1199",
            "WRITER values: at least 60, was 59");
  }

  @Test
  void tooLittleIsNotProvedAndBreaksNoPromise() {
    Report report = report(List.of(), List.of(), List.of("kills: at least 10, was 9"));

    assertThat(report.exitCode()).isEqualTo(4);
    assertThat(printed(report))
        .contains("NOT PROVED, because too little happened:", "  kills: at least 10, was 9")
        .doesNotContain("BROKEN", "No promise was broken");
  }

  @Test
  void aViolationIsBrokenHoweverLittleHappened() {
    Report report = report(List.of("unique: 5"), List.of(), List.of("kills"));

    assertThat(report.exitCode()).isEqualTo(1);
    assertThat(printed(report)).contains("BROKEN:", "unique: 5", "NOT PROVED");
    assertThat(report(List.of(), List.of(), List.of()).exitCode()).isZero();
  }

  @Test
  void lateValuesAreNotProvedOnASlowMachineAndBrokenOnAnyOther() {
    List<String> late = List.of("values flow again: process 1 received none");
    Report slow = report(List.of(), late, List.of("kills"));
    Report other = report(List.of(), late, List.of());

    assertThat(slow.exitCode()).isEqualTo(4);
    assertThat(printed(slow)).contains("process 1 received none").doesNotContain("BROKEN");
    assertThat(other.exitCode()).isEqualTo(1);
    assertThat(printed(other)).contains("BROKEN:", "process 1 received none");
  }
}
