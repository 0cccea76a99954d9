package io.millrace.r2dbc.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** What an application that cannot start prints, as its user sees it. */
@ExtendWith(OutputCaptureExtension.class)
class FailureReportTest {

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {}

  @TempDir Path directory;

  /** Starts with these properties, which must fail, and returns the printed report. */
  private String report(CapturedOutput output, String yaml, Class<?>... sources) throws Exception {
    Path file = directory.resolve("application.yaml");
    Files.writeString(file, yaml);
    SpringApplication application = new SpringApplication(Application.class);
    application.addPrimarySources(java.util.List.of(sources));
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
    assertThat(report(output, h2() + "millrace:\n  sequences:\n    '[a{b}]':\n      create: true\n"))
        .contains(
            "Invalid value 'a{b}' for configuration property 'millrace.sequences.[a{b}]'",
            "application.yaml] - 5:15",
            "must not contain '{'");
  }
}
