package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** How environment variables override properties, and what they cannot do. */
@ExtendWith(OutputCaptureExtension.class)
class EnvironmentVariablesTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static StartedApplication application(String name, Map<String, Object> environment) {
    return new StartedApplication(
        """
        spring.r2dbc.url: %s
        millrace:
          create-table: true
          sequences:
            %s: { create: true, block-size: 10 }
        """
            .formatted(StartedApplication.h2(), name),
        environment);
  }

  @ParameterizedTest
  @CsvSource({
    "order_id, MILLRACE_SEQUENCES_ORDERID_BLOCKSIZE",
    "order-id, MILLRACE_SEQUENCES_ORDERID_BLOCKSIZE",
    "order_id, MILLRACE_SEQUENCES_ORDER_ID_BLOCK_SIZE"
  })
  void variablesOverrideOptionOfSequence(String name, String variable) {
    application(name, Map.of(variable, "500"))
        .use(
            context -> {
              assertThat(context.getBeansOfType(SequenceGenerator.class)).containsOnlyKeys(name);
              context.getBean(SequenceGenerator.class).next().block(PATIENCE);
              SequenceState state =
                  context.getBean(SequenceStore.class).state(name).block(PATIENCE);
              assertThat(Objects.requireNonNull(state).nextValue()).isEqualTo(501);
            });
  }

  @Test
  void variablesNameNoSequence() {
    application(
            "order_id",
            Map.of(
                "MILLRACE_SEQUENCES_INVOICEID_CREATE", "true",
                "MILLRACE_SEQUENCES_PORT", "tcp://10.0.0.1:80",
                "MILLRACE_SEQUENCES_PORT_80_TCP", "tcp://10.0.0.1:80",
                "MILLRACE_GAPLESS_INVOICENO_CREATE", "true",
                "MILLRACE_TEMPLATES_ORDERS_CREATE", "true",
                "MILLRACE_PORT", "tcp://10.0.0.1:80",
                "MILLRACE_SEQUENCES_ORDERID_BLOKSIZE", "500",
                "MILLRACE_DEFAULTS_BLOKSIZE", "500"))
        .use(
            context ->
                assertThat(context.getBeansOfType(SequenceGenerator.class))
                    .containsOnlyKeys("order_id"));
  }

  @Test
  void variablesOverrideTemplatesGaplessNumbersAndDefaults() {
    new StartedApplication(
            """
            spring.r2dbc.url: %s
            millrace:
              create-table: true
              templates.ticket: { block-size: 10 }
              gapless.receipt_no: { create: false }
            """
                .formatted(StartedApplication.h2()),
            Map.of(
                "MILLRACE_TEMPLATES_TICKET_CREATE", "true",
                "MILLRACE_GAPLESS_RECEIPTNO_CREATE", "true",
                "MILLRACE_DEFAULTS_ACQUIRETIMEOUT", "5s"))
        .use(
            context -> {
              MillraceProperties properties = context.getBean(MillraceProperties.class);
              assertThat(properties.template("ticket").creates()).isTrue();
              assertThat(properties.gapless("receipt_no").create()).isTrue();
              assertThat(properties.defaults().acquireTimeout()).isEqualTo(Duration.ofSeconds(5));
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "many"})
  void wrongValueIsReportedWithItsVariable(String value, CapturedOutput output) {
    assertThat(
            application("order_id", Map.of("MILLRACE_SEQUENCES_ORDERID_BLOCKSIZE", value))
                .report(output))
        .contains(value, "MILLRACE_SEQUENCES_ORDERID_BLOCKSIZE");
  }

  @Test
  void variablesAloneConfigureNothing() {
    new StartedApplication(
            "spring.r2dbc.url: " + StartedApplication.h2(),
            Map.of("MILLRACE_SEQUENCES_ORDERID_WARMUP", "true"))
        .use(context -> assertThat(context.getBeansOfType(SequenceGenerator.class)).isEmpty());
  }
}
