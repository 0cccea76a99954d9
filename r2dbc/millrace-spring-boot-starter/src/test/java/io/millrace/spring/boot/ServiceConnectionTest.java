package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerTest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import parcels.Parcels;

/** A container of the Spanner emulator with {@code @ServiceConnection}. */
@SpannerTest
class ServiceConnectionTest {

  @Test
  void sequencesCountInADatabaseOfTheContainer(EmulatorDatabase database, @TempDir Path folder)
      throws IOException, InterruptedException {
    String emulator = database.emulator().host();
    String sequence = "parcels-" + database.id().getDatabase(); // a name that nothing else has

    assertThat(run(emulator, sequence, folder))
        .as("the second start is in the same database")
        .contains("parcels [1, 2, 3]", "parcels [4, 5, 6]");
  }

  private static String run(String emulator, String sequence, Path folder)
      throws IOException, InterruptedException {
    return new ForkedJava(folder)
        .run(
            Map.of(
                "SPANNER_EMULATOR_HOST",
                emulator,
                "GOOGLE_CLOUD_SPANNER_MULTIPLEXED_SESSIONS_FOR_RW",
                "false"),
            "-Demulator=" + emulator,
            Parcels.class.getName(),
            "--spring.main.web-application-type=none",
            "--millrace.create-table=true",
            "--millrace.sequences." + sequence + ".create=true");
  }
}
