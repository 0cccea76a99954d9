package io.millrace.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.Statement;
import io.millrace.spanner.SpannerSequenceStore;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerEmulator;
import io.millrace.test.emulator.SpannerTest;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is done to a database that is somebody's; the emulator plays the instance. */
@SpannerTest
class InstancePlaceTest {

  private static final Workload SHORT =
      new Workload(
          Mode.ASYNC_BATCH,
          60,
          3,
          1,
          20,
          5,
          Application.Kind.TRANSACTION,
          Duration.ofMillis(1),
          Duration.ZERO,
          Duration.ofMinutes(1));

  private EmulatorDatabase database;

  @BeforeEach
  void create() {
    database = SpannerEmulator.find().orElseThrow().createDatabase(Dialect.GOOGLE_STANDARD_SQL);
  }

  @AfterEach
  void drop() {
    database.close();
  }

  private InstancePlace place(boolean create) {
    return new InstancePlace(
        interceptors ->
            database.emulator().connect(options -> options.setInterceptorProvider(interceptors)),
        database.id().getInstanceId().getInstance(),
        database.id().getDatabase(),
        create);
  }

  @Test
  void aRunLeavesNoRowAndNoSequenceBehind() {
    try (Place place = place(true)) {
      assertThat(place.description()).isEqualTo(database.id().getName());
      for (Mode mode : new Mode[] {Mode.ASYNC_BATCH, Mode.NATIVE}) {
        Figures run = Run.of(SHORT.with(mode, 3), place);
        assertThat(run.taken()).as("values of %s", mode).isEqualTo(60);
        assertThat(run.failed()).as("errors of %s", mode).isZero();
      }
    }
    assertThat(count("SELECT COUNT(*) FROM sequences")).isZero();
    assertThat(count("SELECT COUNT(*) FROM information_schema.sequences")).isZero();
  }

  @Test
  void theTableIsNotMadeUnlessThatWasAskedFor() {
    try (Place place = place(false)) {
      assertThatThrownBy(() -> Run.of(SHORT, place)).hasMessageContaining("CREATE TABLE");
    }
    assertThat(
            count("SELECT COUNT(*) FROM information_schema.tables WHERE table_name = 'sequences'"))
        .isZero();
  }

  @Test
  @Tag("long")
  void aJvmThatIsToldToEndDuringARunRemovesItsRows() throws Exception {
    database.update(
        SpannerSequenceStore.create(database.client()).createTableDdl(Dialect.GOOGLE_STANDARD_SQL));
    ProcessBuilder command =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            EndsDuringARun.class.getName(),
            database.id().getInstanceId().getInstance(),
            database.id().getDatabase());
    command.environment().put("SPANNER_EMULATOR_HOST", database.emulator().host());
    Process ending = command.redirectErrorStream(true).redirectOutput(Redirect.DISCARD).start();
    try {
      assertThat(ending.waitFor(1, TimeUnit.MINUTES)).isTrue();
    } finally {
      ending.destroyForcibly();
    }
    assertThat(ending.exitValue()).isEqualTo(EndsDuringARun.HAD_A_ROW);
    assertThat(count("SELECT COUNT(*) FROM sequences")).isZero();
  }

  private long count(String query) {
    DatabaseClient client = database.client();
    try (ResultSet rows = client.singleUse().executeQuery(Statement.of(query))) {
      assertThat(rows.next()).isTrue();
      return rows.getLong(0);
    }
  }
}
