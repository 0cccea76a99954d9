package io.millrace.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.test.emulator.SpannerEmulator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
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
        .contains("Rows inserted     100,");
  }

  @Test
  void theStoreCanBeChosen() {
    assertThat(run(SMALL, "--store=h2")).isZero();
    assertThat(output()).containsPattern("Database +H2").doesNotContain("No Spanner emulator");
  }

  @Test
  void anEmulatorThatWasAskedForAndIsNotThereIsAnError() {
    assertThat(run(SMALL, "--store=spanner")).isEqualTo(2);
    assertThat(complaints.toString()).contains("--store spanner", "gcloud components install");
  }

  @Test
  void anEmulatorThatDoesNotAnswerIsOneLine() {
    int code =
        Demo.commandLine(
                () -> {
                  throw new IllegalStateException("no answer");
                },
                new PrintStream(printed, true, StandardCharsets.UTF_8))
            .setErr(new PrintWriter(complaints))
            .execute(SMALL);

    assertThat(code).isEqualTo(2);
    assertThat(complaints.toString()).isEqualTo("demo: no answer" + System.lineSeparator());
  }

  @Test
  void theJvmEndsIfNothingListensWhereTheEmulatorShouldBe() throws Exception {
    int closed;
    try (ServerSocket socket = new ServerSocket(0)) {
      closed = socket.getLocalPort();
    }
    assertEndsWithOneLine(closed);
  }

  @Test
  @Tag("long")
  void theJvmEndsIfWhatListensThereSaysNothing() throws Exception {
    try (ServerSocket silent = new ServerSocket(0)) {
      assertEndsWithOneLine(silent.getLocalPort());
    }
  }

  private static void assertEndsWithOneLine(int port) throws Exception {
    ProcessBuilder command =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            Demo.class.getName(),
            "--store=spanner",
            SMALL);
    command.environment().put("SPANNER_EMULATOR_HOST", "localhost:" + port);
    Process demo = command.redirectErrorStream(true).start();
    try {
      CompletableFuture<String> said =
          CompletableFuture.supplyAsync(() -> read(demo.getInputStream()));
      assertThat(demo.waitFor(3, TimeUnit.MINUTES)).as("the JVM has ended").isTrue();
      assertThat(demo.exitValue()).isEqualTo(2);
      assertThat(said.get(1, TimeUnit.MINUTES).lines().filter(line -> !isOfTheJvm(line)))
          .singleElement(InstanceOfAssertFactories.STRING)
          .startsWith(
              "demo: no Spanner emulator answers at SPANNER_EMULATOR_HOST=localhost:" + port);
    } finally {
      demo.destroyForcibly();
    }
  }

  /** JDK 25 warns of native code and of Unsafe in libraries. */
  private static boolean isOfTheJvm(String line) {
    return line.isBlank() || line.toLowerCase(Locale.ROOT).contains("warning");
  }

  private static String read(InputStream output) {
    try {
      return new String(output.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void anUnknownStoreOrANumberOutOfRangeIsAnError() {
    assertThat(run("--store=oracle")).isEqualTo(2);
    assertThat(complaints.toString()).contains("oracle", "h2", "spanner");
    assertThat(run("--orders=0")).isEqualTo(2);
    assertThat(complaints.toString()).contains("--orders must be from 1", "was 0");
  }
}
