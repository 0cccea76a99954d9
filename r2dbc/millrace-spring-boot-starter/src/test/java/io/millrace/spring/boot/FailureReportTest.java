package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.millrace.spring.SequenceValue;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.RelationalManagedTypes;
import org.springframework.mock.env.MockEnvironment;

/** What an application that cannot start prints, as its user sees it. */
@ExtendWith(OutputCaptureExtension.class)
class FailureReportTest {

  private static String report(CapturedOutput output, String yaml, Class<?>... more) {
    String url = "spring.r2dbc.url: r2dbc:h2:mem:///" + UUID.randomUUID() + "\n";
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
            "millrace.sequences.invoice_id.low-watermark = '1000'",
            "[application.yaml] - 6:21",
            "lowWatermark must be below blockSize 500, was 1000");
  }

  @Test
  void propertyOutOfItsRangeIsShownAsItWasWritten(CapturedOutput output) {
    assertThat(
            report(
                output, "millrace:\n  defaults.acquire-timeout: -5s\n  sequences.a.create: true\n"))
        .contains(
            "millrace.defaults.acquire-timeout = '-5s'",
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
        .contains("- sequence 'a': sequence 'a' was not found")
        .contains("- sequence 'd': sequence 'd' was not found")
        .contains("- gapless sequence 'e': sequence 'e' was not found")
        .contains(
            "Run the statements above, or set millrace.sequences.a.create=true,"
                + " millrace.sequences.d.create=true, millrace.gapless.e.create=true.")
        .doesNotContain("sequence 'c'", "millrace.create-table=true", "Correct what the database");
  }

  @Test
  void missingTableIsReportedOnce(CapturedOutput output) {
    String report =
        report(
            output, "millrace: { sequences: { a.create: true, b: {} }, templates.t.create: true }");
    assertThat(report)
        .contains("sequence 'a', sequence 'b', template 't': sequence 'a' was not")
        .contains("or set millrace.create-table=true.");
    assertThat(Pattern.compile("CREATE TABLE").matcher(report).results().count()).isEqualTo(1);
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

  @Test
  void olderBootIsNamedOnlyWhereSequencesAreConfigured() {
    MockEnvironment environment = new MockEnvironment();
    ConditionContext context = mock(ConditionContext.class);
    when(context.getEnvironment()).thenReturn(environment);
    AnnotatedTypeMetadata metadata = AnnotationMetadata.introspect(FailureReportTest.class);

    assertThat(new OnBoot4("3.5.7").getMatchOutcome(context, metadata).isMatch()).isFalse();
    environment.setProperty("millrace.sequences.a.create", "true");
    assertThat(new OnBoot4("4.1.0").getMatchOutcome(context, metadata).isMatch()).isTrue();
    assertThat(new OnBoot4("10.0.0").getMatchOutcome(context, metadata).isMatch()).isTrue();
    assertThatThrownBy(() -> new OnBoot4("3.5.7").getMatchOutcome(context, metadata))
        .satisfies(
            failure ->
                assertThat(
                        Objects.requireNonNull(
                                new StartFailureAnalyzer(environment).analyze(failure))
                            .getDescription())
                    .contains("Boot 4 is needed", "this is Spring Boot 3.5.7"));
  }

  @Test
  void oneLineAtStartSaysWhereTheSequencesAre(CapturedOutput output) {
    new StartedApplication(
            """
            spring.r2dbc.url: r2dbc:h2:mem:///%s
            millrace:
              create-table: true
              sequences: { invoice_id.create: true, order_id.create: true }
              templates.orders.create: true
            """
                .formatted(UUID.randomUUID()),
            Map.of())
        .use(context -> {});
    assertThat(output.getOut().lines().filter(line -> line.contains("StartWork")))
        .singleElement()
        .asString()
        .endsWith(
            "Sequences in R2dbcSequenceStore[sequences]: sequence 'invoice_id', sequence"
                + " 'order_id', template 'orders'");
  }
}
