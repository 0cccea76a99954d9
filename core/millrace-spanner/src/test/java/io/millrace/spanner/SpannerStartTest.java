package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.NoCredentials;
import com.google.cloud.spanner.InstanceConfigId;
import com.google.cloud.spanner.InstanceId;
import com.google.cloud.spanner.InstanceInfo;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.SpannerOptions;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerTest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import shop.SpannerStart;

/** The program for Spanner that docs/spanner.md shows does what it says, and ends. */
@SpannerTest
class SpannerStartTest {

  @Test
  void itIsTheOneOnThePage() throws Exception {
    String program = Files.readString(Path.of("src/test/java/shop/SpannerStart.java"));
    assertThat(Files.readString(Path.of("../../docs/spanner.md")))
        .contains("```java\n" + program + "```");
  }

  @Test
  void itsJvmEndsByItself(EmulatorDatabase any) throws Exception {
    String host = any.emulator().host();
    InstanceId instance = InstanceId.of("my-project", "my-instance");
    try (Spanner spanner =
        SpannerOptions.newBuilder()
            .setProjectId(instance.getProject())
            .setEmulatorHost(host)
            .setCredentials(NoCredentials.getInstance())
            .build()
            .getService()) {
      spanner
          .getInstanceAdminClient()
          .createInstance(
              InstanceInfo.newBuilder(instance)
                  .setInstanceConfigId(
                      InstanceConfigId.of(instance.getProject(), "emulator-config"))
                  .setDisplayName("README")
                  .setNodeCount(1)
                  .build())
          .get();
      try {
        spanner
            .getDatabaseAdminClient()
            .createDatabase(instance.getInstance(), "shop", List.of())
            .get();
        assertThat(outputOfProgram(host)).endsWith("1", "[2, 3, 4]");
        assertThat(
                SpannerSequenceStore.create(
                        spanner.getDatabaseClient(
                            com.google.cloud.spanner.DatabaseId.of(instance, "shop")))
                    .state("order_id")
                    .map(io.millrace.SequenceState::nextValue)
                    .block())
            .as("what was left is given back")
            .isEqualTo(5);
      } finally {
        spanner.getInstanceAdminClient().deleteInstance(instance.getInstance());
      }
    }
  }

  private static List<String> outputOfProgram(String host) throws Exception {
    ProcessBuilder command =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            SpannerStart.class.getName());
    command.environment().put("SPANNER_EMULATOR_HOST", host);
    command.environment().put("GOOGLE_CLOUD_SPANNER_MULTIPLEXED_SESSIONS_FOR_RW", "false");
    Path output = Files.createTempFile("readme", ".txt");
    Process program =
        command
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(program.waitFor(2, TimeUnit.MINUTES)).as("the JVM has ended").isTrue();
      assertThat(program.exitValue()).isZero();
      return Files.readString(output, StandardCharsets.UTF_8).lines().collect(Collectors.toList());
    } finally {
      program.destroyForcibly();
      Files.delete(output);
    }
  }
}
