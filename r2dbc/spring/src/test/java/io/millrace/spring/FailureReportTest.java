package io.millrace.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.RelationalManagedTypes;
import org.springframework.mock.env.MockEnvironment;

/** What an application that cannot start prints, as its user sees it. */
@ExtendWith(OutputCaptureExtension.class)
class FailureReportTest {

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {

    /** Else the entities of all tests in this package. */
    @Bean
    static RelationalManagedTypes entities(Environment environment) {
      boolean misspelt = environment.getProperty("misspelt", Boolean.class, false);
      return RelationalManagedTypes.fromIterable(misspelt ? List.of(Invoice.class) : List.of());
    }
  }

  private final Path directory;

  FailureReportTest(@TempDir Path directory) {
    this.directory = directory;
  }

  /** Starts with these properties, which must fail, and returns the printed report. */
  private String report(CapturedOutput output, String yaml) throws Exception {
    Path file = directory.resolve("application.yaml");
    Files.writeString(file, yaml);
    SpringApplication application = new SpringApplication(Application.class);
    application.setWebApplicationType(WebApplicationType.NONE);
    Throwable failure =
        catchThrowable(
            () -> {
              try (ConfigurableApplicationContext started =
                  application.run("--spring.config.location=" + file.toUri())) {
                assertThat(started.isActive()).isTrue();
              }
            });
    assertThat(failure).as("the application has started").isNotNull();
    assertThat(output.getOut()).contains("APPLICATION FAILED TO START");
    return output.getOut().substring(output.getOut().indexOf("APPLICATION FAILED TO START"));
  }

  private static String h2() {
    return "spring.r2dbc.url: r2dbc:h2:mem:///" + UUID.randomUUID() + "\n";
  }

  @Test
  void aPropertyThatContradictsAnotherIsShownWithItsPlace(CapturedOutput output) throws Exception {
    String report =
        report(
            output,
            h2()
                + """
                millrace:
                  sequences:
                    invoice_id:
                      batch-size: 500
                      lowWatermark: 1000
                """);

    assertThat(report)
        .contains(
            "Invalid value '1000' for configuration property"
                + " 'millrace.sequences.invoice_id.low-watermark' (originating from '",
            "application.yaml] - 6:21')",
            "low-watermark must be below batch-size 500, was 1000",
            "Review the value");
  }

  @Test
  void aPropertyOutOfItsRangeIsShownAsItWasWritten(CapturedOutput output) throws Exception {
    assertThat(
            report(
                output,
                h2() + "millrace:\n  defaults.acquire-timeout: -5s\n  sequences.a.create: true\n"))
        .contains(
            "Invalid value '-5s' for configuration property 'millrace.defaults.acquire-timeout'",
            "application.yaml] - 3:29",
            "acquire-timeout must be");
  }

  @Test
  void aNameThatIsRefusedIsShownWithItsPlace(CapturedOutput output) throws Exception {
    assertThat(
            report(output, h2() + "millrace:\n  sequences:\n    '[a{b}]':\n      create: true\n"))
        .contains(
            "Invalid value 'a{b}' for configuration property 'millrace.sequences.[a{b}]'",
            "application.yaml] - 5:15",
            "must not contain '{'");
  }

  @Test
  void aMissingRowIsShownWithTheProperty(CapturedOutput output) throws Exception {
    String report =
        report(
            output,
            h2()
                + """
                millrace:
                  create-table: true
                  sequences:
                    invoice_id: { row: INV, warmup: true }
                """);

    assertThat(report)
        .contains("sequence 'invoice_id' cannot be warmed up", "'INV' was not found")
        .contains("Set millrace.sequences.invoice_id.create=true for the row; or run")
        .doesNotContain("millrace.create-table=true");
  }

  @Test
  void aMissingTableIsShownWithTheProperty(CapturedOutput output) throws Exception {
    assertThat(
            report(
                output, h2() + "millrace:\n  sequences:\n    a: { create: true, warmup: true }\n"))
        .contains("CREATE TABLE", "Set millrace.create-table=true for the table; or run");
  }

  @Test
  void aDatabaseThatIsAwayIsShownWithTheWayOut(CapturedOutput output) throws Exception {
    int closed;
    try (ServerSocket socket = new ServerSocket(0)) {
      closed = socket.getLocalPort();
    }
    assertThat(
            report(
                output,
                """
                spring.r2dbc:
                  url: r2dbc:postgresql://localhost:%d/shop
                  username: me
                  password: secret
                millrace.sequences.a: { warmup: true, backoff.attempts: 1 }
                """
                    .formatted(closed)))
        .contains("sequence 'a' cannot be warmed up", "Caused by:", "Connection refused")
        .contains("spring.r2dbc.url", "millrace.startup.on-failure=warn")
        .doesNotContain("secret");
  }

  record Invoice(@Id @SequenceValue("invoce_id") Long id) {}

  @Test
  void aMisspeltAnnotationIsShownWithTheNamesThereAre(CapturedOutput output) throws Exception {
    assertThat(
            report(
                output, h2() + "misspelt: true\nmillrace.sequences:\n  invoice_id.create: true\n"))
        .contains("@SequenceValue of " + Invoice.class.getName() + ".id")
        .contains("there is no sequence \"invoce_id\": there are [invoice_id]")
        .contains("Correct the name in the annotation", "millrace.sequences.invoce_id");
  }

  @Test
  void anEmulatorThatTheEnvironmentDoesNotNameIsShown(CapturedOutput output) throws Exception {
    assumeThat(System.getenv("SPANNER_EMULATOR_HOST")).isNull();
    assertThat(
            report(
                output,
                "spring.r2dbc.url: r2dbc:cloudspanner://localhost:9010/projects/p/instances/i"
                    + "/databases/d?usePlainText=true\n"))
        .contains("configuration property 'spring.r2dbc.url'")
        .contains("set SPANNER_EMULATOR_HOST=localhost:9010");
  }

  @Test
  void anEmulatorThatKnowsNoTransactionIsSaidToNeedAnotherVariable() {
    Throwable failure =
        new IllegalStateException(
            "attempt", new IOException("NOT_FOUND: Transaction not found: 4"));
    Map<String, String> emulator = Map.of("SPANNER_EMULATOR_HOST", "localhost:9010");
    String variable = "GOOGLE_CLOUD_SPANNER_MULTIPLEXED_SESSIONS_FOR_RW";

    assertThat(new EmulatorSessions(emulator).advice(failure)).contains(variable + "=false");
    assertThat(new EmulatorSessions(Map.of()).advice(failure)).isEmpty();
    assertThat(new EmulatorSessions(emulator).advice(new IOException("reset"))).isEmpty();
    assertThat(
            new EmulatorSessions(
                    Map.of("SPANNER_EMULATOR_HOST", "localhost:9010", variable, "false"))
                .advice(failure))
        .isEmpty();
  }

  @Test
  void onlyAnEmulatorsUrlNeedsTheVariable() {
    String emulator = "r2dbc:cloudspanner://emulator:9010/projects/p/instances/i/databases/d";
    Map<String, String> named = Map.of("SPANNER_EMULATOR_HOST", "emulator:9010");

    assertThatThrownBy(() -> new EmulatorUrl(emulator + "?usePlainText=true", Map.of()).check())
        .hasMessageContaining("SPANNER_EMULATOR_HOST=emulator:9010");
    assertThatThrownBy(() -> new EmulatorUrl(emulator + "?a=b&usePlainText=true", Map.of()).check())
        .hasMessageContaining("SPANNER_EMULATOR_HOST=emulator:9010");
    new EmulatorUrl(emulator + "?usePlainText=true", named).check();
    new EmulatorUrl("r2dbc:cloudspanner:///projects/p/instances/i/databases/d", Map.of()).check();
    new EmulatorUrl("r2dbc:postgresql://localhost/shop?usePlainText=true", Map.of()).check();
    new EmulatorUrl(null, Map.of()).check();
  }

  @Test
  void anOlderBootIsNamedOnlyWhereSequencesAreConfigured() {
    MockEnvironment environment = new MockEnvironment();
    ConditionContext context = mock(ConditionContext.class);
    when(context.getEnvironment()).thenReturn(environment);
    AnnotatedTypeMetadata metadata = AnnotationMetadata.introspect(Application.class);

    assertThat(new OnBoot4("3.5.7").getMatchOutcome(context, metadata).isMatch()).isFalse();
    environment.setProperty("millrace.sequences.a.create", "true");
    assertThat(new OnBoot4("4.1.0").getMatchOutcome(context, metadata).isMatch()).isTrue();
    assertThat(new OnBoot4("10.0.0").getMatchOutcome(context, metadata).isMatch()).isTrue();
    assertThatThrownBy(() -> new OnBoot4("3.5.7").getMatchOutcome(context, metadata))
        .satisfies(
            failure ->
                assertThat(
                        Objects.requireNonNull(new OldBootAnalyzer().analyze(failure))
                            .getDescription())
                    .contains("Boot 4 is needed", "this is Spring Boot 3.5.7"));
  }

  @Test
  void oneLineAtStartSaysWhereTheSequencesAre(CapturedOutput output) throws Exception {
    Path file = directory.resolve("application.yaml");
    Files.writeString(
        file,
        h2()
            + """
            millrace:
              sequences:
                invoice_id.create: true
                order_id.create: true
              templates.t.pattern: orders/{tenant}
            """);
    SpringApplication application = new SpringApplication(Application.class);
    application.setWebApplicationType(WebApplicationType.NONE);
    application
        .run("--spring.config.location=" + file.toUri(), "--logging.level.io.millrace=INFO")
        .close();

    assertThat(
            output.getOut().lines().filter(line -> line.matches(".* io?\\.m(illrace)?\\.\\S+ .*")))
        .singleElement(InstanceOfAssertFactories.STRING)
        .contains("INFO")
        .endsWith(
            "Sequences in table sequences of H2, over R2DBC: invoice_id, order_id, template"
                + " orders/{tenant}");
  }
}
