package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spring.SequenceValue;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.RelationalManagedTypes;

/** The report that an application prints if it cannot start. */
@ExtendWith(OutputCaptureExtension.class)
class FailureReportTest {

  private static String report(CapturedOutput output, String yaml, Class<?>... more) {
    String url = "spring.r2dbc.url: " + StartedApplication.h2() + "\n";
    return new StartedApplication(url + yaml, Map.of(), more).report(output);
  }

  @Test
  void propertyThatContradictsAnotherIsShownWithItsPlace(CapturedOutput output) {
    assertThat(
            report(
                output,
                """
                millrace:
                  sequences:
                    invoice_id:
                      block-size: 500
                      lowWatermark: 1000
                """))
        .contains(
            "millrace.sequences.invoice_id.low-watermark is refused",
            "Value: '1000'",
            "[application.yaml] - 6:21",
            "lowWatermark must be below blockSize 500, was 1000");
  }

  @Test
  void propertyOutOfItsRangeIsShownAsItWasWritten(CapturedOutput output) {
    assertThat(
            report(
                output, "millrace:\n  defaults.acquire-timeout: -5s\n  sequences.a.create: true\n"))
        .contains(
            "millrace.defaults.acquire-timeout is refused",
            "Value: '-5s'",
            "[application.yaml] - 3:29",
            "acquireTimeout must be");
  }

  @Test
  void eachCauseIsReportedOnceWithThePropertiesThatHelp(CapturedOutput output) {
    assertThat(
            report(
                output,
                """
                millrace:
                  create-table: true
                  sequences:
                    a.warmup: true
                    c.create: true
                    d: {}
                  gapless.e: {}
                """))
        .contains("- millrace.sequences.a: sequence 'a' was not found")
        .contains("- millrace.sequences.d: sequence 'd' was not found")
        .contains("- millrace.gapless.e: sequence 'e' was not found")
        .contains(
            "Run the statements above, or set millrace.sequences.a.create=true,"
                + " millrace.sequences.d.create=true, millrace.gapless.e.create=true.")
        .doesNotContain(
            "millrace.sequences.c", "millrace.create-table=true", "Correct what the database");
  }

  @Test
  void missingTableIsReportedOnce(CapturedOutput output) {
    String report =
        report(
            output, "millrace: { sequences: { a.create: true, b: {} }, templates.t.create: true }");
    assertThat(report)
        .contains(
            "millrace.sequences.a, millrace.sequences.b, millrace.templates.t: sequence 'a' was"
                + " not")
        .contains("or set millrace.create-table=true.");
    assertThat(Pattern.compile("CREATE TABLE").matcher(report).results().count()).isEqualTo(1);
  }

  @Test
  void exhaustedSequenceIsReportedWithARemedy(CapturedOutput output) {
    String report =
        report(
            output,
            """
            millrace:
              create-table: true
              sequences.a: { create: true, warmup: true, start-value: 9223372036854775806 }
            """);
    assertThat(report).contains("millrace.sequences.a: sequence 'a' is exhausted");
    assertThat(report.substring(report.indexOf("Action:"))).contains("another sequence");
  }

  @Test
  void unknownPropertyIsReportedBySpringBoot(CapturedOutput output) {
    assertThat(
            report(output, "millrace:\n  create-tabel: true\n  sequences.a: { lowWatermrk: 5 }\n"))
        .contains("Property: millrace.create-tabel", "Property: millrace.sequences.a.lowwatermrk");
  }

  @Test
  void nameFromOutsideStaysOnItsLine(CapturedOutput output) {
    assertThat(
            report(
                output,
                """
                millrace:
                  create-table: true
                  sequences:
                    "[a\\nFORGED b]": { block-size: 5 }
                """))
        .contains("sequence 'a\\u000AFORGED b'")
        .contains("set millrace.sequences.[a\\u000AFORGED b].create=true");
  }

  record Invoice(@Id @SequenceValue("invoce_id") @Nullable Long id) {}

  @Configuration(proxyBeanMethods = false)
  static class Misspelt {

    @Bean
    @Primary
    static RelationalManagedTypes invoices() {
      return RelationalManagedTypes.fromIterable(List.of(Invoice.class));
    }
  }

  @Test
  void misspeltAnnotationIsShownWithTheNamesThereAre(CapturedOutput output) {
    assertThat(report(output, "millrace.sequences.invoice_id.create: true\n", Misspelt.class))
        .contains("@SequenceValue of " + Invoice.class.getName() + ".id")
        .contains("there is no sequence \"invoce_id\": there are [invoice_id]")
        .contains("correct the name, or add millrace.sequences.invoce_id.create=true");
  }
}
