package io.millrace.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.emulator.SpannerEmulator;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DemoTest {

  private static final String SMALL = "--orders=100";

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final StringWriter complaints = new StringWriter();

  /** The exit code of the command on a machine without an emulator. */
  private int run(String... arguments) {
    return Demo.commandLine(
            Optional::<SpannerEmulator>empty,
            new PrintStream(printed, true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(complaints))
        .execute(arguments);
  }

  private String output() {
    return printed.toString(StandardCharsets.UTF_8);
  }

  @Test
  void whereThereIsNoEmulatorItSaysHowToGetOneAndUsesH2() {
    assertThat(run(SMALL)).isZero();
    assertThat(output())
        .contains("No Spanner emulator here", "gcloud components install")
        .containsPattern("Database +H2")
        .contains("inserted 100 of 100 orders");
  }

  @Test
  void theStoreCanBeChosen() {
    assertThat(run(SMALL, "--store=h2")).isZero();
    assertThat(output()).containsPattern("Database +H2").doesNotContain("No Spanner emulator");
    printed.reset();
    assertThat(run(SMALL, "--store=memory")).isZero();
    assertThat(output()).doesNotContain("H2").contains("inserted 100 of 100 orders");
  }

  @Test
  void anEmulatorThatWasAskedForAndIsNotThereIsAnError() {
    assertThat(run(SMALL, "--store=spanner")).isEqualTo(2);
    assertThat(complaints.toString()).contains("--store spanner", "gcloud components install");
  }

  @Test
  void anUnknownStoreOrANumberOutOfRangeIsAnError() {
    assertThat(run("--store=oracle")).isEqualTo(2);
    assertThat(complaints.toString()).contains("oracle", "h2", "spanner", "memory");
    assertThat(run("--orders=0")).isEqualTo(2);
    assertThat(complaints.toString()).contains("--orders must be from 1", "was 0");
  }
}
