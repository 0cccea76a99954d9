package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.millrace.spring.SequenceValue;
import io.millrace.spring.data.spanner.SpannerR2dbcAutoConfiguration;
import io.r2dbc.spi.ConnectionFactories;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.data.r2dbc.autoconfigure.DataR2dbcAutoConfiguration;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcTransactionManagerAutoConfiguration;
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
import org.springframework.data.r2dbc.dialect.DialectResolver;
import org.springframework.data.relational.RelationalManagedTypes;
import org.springframework.mock.env.MockEnvironment;
import reactor.core.publisher.Mono;

/** What an application that cannot start prints, as its user sees it. */
@ExtendWith(OutputCaptureExtension.class)
class FailureReportTest {

  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration({
    MillraceAutoConfiguration.class,
    R2dbcAutoConfiguration.class,
    R2dbcTransactionManagerAutoConfiguration.class,
    DataR2dbcAutoConfiguration.class,
    SpannerR2dbcAutoConfiguration.class
  })
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
                      block-size: 500
                      lowWatermark: 1000
                """);

    assertThat(report)
        .contains(
            "Invalid value '1000' for configuration property"
                + " 'millrace.sequences.invoice_id.low-watermark' (originating from '",
            "application.yaml] - 6:21')",
            "lowWatermark must be below blockSize 500, was 1000",
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
            "acquireTimeout must be");
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

  private static long count(String report, String part) {
    return Pattern.compile(Pattern.quote(part)).matcher(report).results().count();
  }

  @Test
  void failuresWithOneCauseAreOneReport(CapturedOutput output) throws Exception {
    int closed;
    try (ServerSocket socket = new ServerSocket(0)) {
      closed = socket.getLocalPort();
    }
    String report =
        report(
            output,
            """
            spring.r2dbc:
              url: r2dbc:postgresql://localhost:%d/shop
              username: me
              password: secret
            millrace:
              create-table: true
              defaults.backoff.attempts: 1
              sequences:
                a.warmup: true
                b.warmup: true
              gapless.c.create: true
            """
                .formatted(closed));

    assertThat(report)
        .contains("the table cannot be created, the row of sequence 'c' of millrace.gapless")
        .contains("sequence 'a' cannot be warmed up", "sequence 'b' cannot be warmed up")
        .contains("Start the database", "millrace.startup.on-failure=warn")
        .doesNotContain("CompositeException", "\tat ", "secret");
    assertThat(count(report, "Caused by:")).isEqualTo(1);
    assertThat(count(report, "and by:")).isZero();
    assertThat(report.lines()).hasSizeLessThan(25);
  }

  @Test
  void aWrongPasswordIsOneReport(CapturedOutput output) throws Exception {
    String name = UUID.randomUUID().toString();
    String options = "?options=DB_CLOSE_DELAY=-1";
    Mono.from(ConnectionFactories.get("r2dbc:h2:mem://sa:right@/" + name + options).create())
        .flatMap(connection -> Mono.from(connection.close()))
        .block(Duration.ofSeconds(30));
    String report =
        report(
            output,
            """
            spring.r2dbc:
              url: r2dbc:h2:mem:///%s%s
              username: sa
              password: wrong
            millrace:
              create-table: true
              defaults.backoff.attempts: 1
              sequences.a.warmup: true
              gapless.c.create: true
            """
                .formatted(name, options));

    assertThat(report)
        .contains("the table cannot be created, the row of", "sequence 'a' cannot be warmed up")
        .doesNotContain("CompositeException", "\tat ");
    assertThat(count(report, "Wrong user name or password")).isBetween(1L, 2L);
    assertThat(report.lines()).hasSizeLessThan(25);
  }

  @Test
  void eachCauseIsReportedOnceWithThePropertiesThatHelp(CapturedOutput output) throws Exception {
    String report =
        report(
            output,
            h2()
                + """
                millrace:
                  create-table: true
                  sequences:
                    a.warmup: true
                    b: { row: B, warmup: true }
                    c.create: true
                    d: {}
                  gapless.e.row: E
                """);

    assertThat(report)
        .contains("- sequence 'a' cannot be warmed up: sequence 'a' was not found")
        .contains("- sequence 'b' cannot be warmed up: sequence 'B' was not found")
        .contains("- sequence 'd' cannot be used: sequence 'd' was not found")
        .contains("- sequence 'e' of millrace.gapless cannot be used: sequence 'E' was")
        .contains(
            "Set millrace.sequences.a.create=true, millrace.sequences.b.create=true,"
                + " millrace.sequences.d.create=true, millrace.gapless.e.create=true for the"
                + " rows; or run the statements above.")
        .doesNotContain("sequence 'c'", "millrace.create-table=true", "Correct what the database");
  }

  @Test
  void aMissingTableIsFoundAtStartThoughNothingWasAskedForThen(CapturedOutput output)
      throws Exception {
    String report =
        report(output, h2() + "millrace.sequences:\n  a.create: true\n  b.block-size: 5\n");

    assertThat(report)
        .contains("sequence 'a' cannot be used, sequence 'b' cannot be used: sequence 'a' was not")
        .contains(
            "Set millrace.sequences.b.create=true for the row, and millrace.create-table=true");
    assertThat(count(report, "CREATE TABLE")).isEqualTo(1);
  }

  @Test
  void aMissingTableIsFoundAtStartIfThereAreOnlyTemplates(CapturedOutput output) throws Exception {
    assertThat(
            report(
                output,
                h2() + "millrace.templates.t: { pattern: 'orders/{tenant}', create: true }\n"))
        .contains("template 'orders/{tenant}' cannot be used", "Set millrace.create-table=true");
  }

  @Test
  void anUnknownPropertyIsReportedBySpringBoot(CapturedOutput output) throws Exception {
    assertThat(
            report(
                output,
                h2() + "millrace:\n  create-tabel: true\n  sequences.a: { lowWatermrk: 5 }\n"))
        .containsPattern(
            "Property: millrace.create-tabel\\R +Value: .*\\R +Origin: .*application.yaml.*3:17")
        .contains("Property: millrace.sequences.a.lowwatermrk");
  }

  @Test
  void aNameFromOutsideStaysOnItsLine(CapturedOutput output) throws Exception {
    assertThat(
            report(
                output,
                h2()
                    + """
                    millrace:
                      create-table: true
                      sequences:
                        "[a\\nFORGED b]": { block-size: 5 }
                    """))
        .contains("sequence 'a\\u000AFORGED b' cannot be used")
        .contains("Set millrace.sequences.[a\\u000AFORGED b].create=true");
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
  void springDataWithoutItsDialectForSpannerIsToldWhichDependencyToAdd() {
    MockEnvironment environment = new MockEnvironment();
    Throwable failure =
        new IllegalStateException(new DialectResolver.NoDialectException("Cannot determine"));

    assertThat(new StartFailureAnalyzer(environment).analyze(failure)).isNull();
    environment.setProperty("spring.r2dbc.url", "r2dbc:cloudspanner:///projects/p/x");
    assertThat(
            Objects.requireNonNull(new StartFailureAnalyzer(environment).analyze(failure))
                .getAction())
        .contains("io.millrace:millrace-r2dbc-spanner");
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
                        Objects.requireNonNull(
                                new StartFailureAnalyzer(environment).analyze(failure))
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
              create-table: true
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
