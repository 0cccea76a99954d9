package io.millrace.perf;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.Database;
import com.google.cloud.spanner.InstanceId;
import io.millrace.test.emulator.SpannerEmulator;
import io.millrace.test.emulator.SpannerTest;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a run leaves behind. */
@SpannerTest
class PlaceTest {

  /** A program that ends during a run. */
  static final class EndsDuringARun {

    private EndsDuringARun() {}

    public static void main(String[] none) {
      Place.emulator(Duration.ZERO).open();
      System.exit(0);
    }
  }

  private static List<String> databases(Place place) {
    InstanceId instance = place.instance();
    List<String> names = new ArrayList<>();
    for (Database database :
        place
            .spanner()
            .getDatabaseAdminClient()
            .listDatabases(instance.getInstance())
            .iterateAll()) {
      names.add(database.getId().getDatabase());
    }
    return names;
  }

  @Test
  void dropsTheDatabaseOfARunAtItsEnd() {
    try (Place place = Place.emulator(Duration.ZERO)) {
      Place.RunDatabase run = place.open();
      assertThat(databases(place)).anyMatch(name -> name.startsWith("perf_"));
      run.close();
      assertThat(databases(place)).noneMatch(name -> name.startsWith("perf_"));
    }
  }

  @Test
  @Tag("long")
  void dropsTheDatabaseWhenTheJvmEndsDuringARun() throws Exception {
    ProcessBuilder command =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            EndsDuringARun.class.getName());
    command.environment().put("SPANNER_EMULATOR_HOST", SpannerEmulator.find().orElseThrow().host());
    Process ending = command.redirectErrorStream(true).redirectOutput(Redirect.DISCARD).start();
    try {
      assertThat(ending.waitFor(1, TimeUnit.MINUTES)).isTrue();
    } finally {
      ending.destroyForcibly();
    }
    assertThat(ending.exitValue()).isZero();
    try (Place place = Place.emulator(Duration.ZERO)) {
      assertThat(databases(place)).noneMatch(name -> name.startsWith("perf_"));
    }
  }
}
