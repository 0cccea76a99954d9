package io.millrace.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.SequenceGenerator;
import io.millrace.insert.RowWriterMetricsRecorder;
import io.millrace.test.InMemorySequenceStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What docs/operating.md says of the meters is what the code does. */
class MetricsDocumentTest {

  private static final Path DOCUMENT =
      Path.of(System.getProperty("basedir", "."), "..", "..", "docs", "operating.md");

  private static List<String> rowsThatBeginWith(String start) throws IOException {
    try (Stream<String> lines = Files.lines(DOCUMENT)) {
      return lines.filter(line -> line.startsWith(start)).toList();
    }
  }

  /** The first cell of a row names one outcome or several. */
  private static long rowsOfOutcome(String outcome) throws IOException {
    return rowsThatBeginWith("| `").stream()
        .filter(row -> row.split("\\|")[1].contains("`" + outcome + "`"))
        .count();
  }

  private static String row(Meter meter) {
    Meter.Id id = meter.getId();
    return String.format(
        "| `%s` | %s | %s | %s%s |",
        id.getName(),
        id.getType().name().toLowerCase(Locale.ROOT),
        id.getBaseUnit(),
        id.getDescription(),
        id.getTag("outcome") == null ? "" : " (tag `outcome`)");
  }

  @Test
  void theTableHasAllMetersAndNoOther() throws IOException {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    SequenceGenerator generator =
        SequenceGenerator.builder(InMemorySequenceStore.withSequence("s", 1), "s")
            .metrics(MicrometerRecorder.of(registry))
            .build();
    assertThat(generator.next().block(Duration.ofSeconds(30))).isEqualTo(1L);
    List<String> rows = rowsThatBeginWith("| `millrace.sequence.");
    assertThat(rows).hasSize(16);
    assertThat(registry.getMeters())
        .extracting(MetricsDocumentTest::row)
        .containsExactlyInAnyOrderElementsOf(rows);
  }

  @Test
  void theTableOfWritersHasAllMetersAndNoOther() throws IOException {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    MicrometerWriterRecorder.of(registry, "invoices")
        .opened(new MicrometerWriterRecorderTest.Waiting(0, 1));
    List<String> rows = rowsThatBeginWith("| `millrace.writer.");
    assertThat(rows).hasSize(6);
    assertThat(registry.getMeters().stream().map(MetricsDocumentTest::row).distinct())
        .containsExactlyInAnyOrderElementsOf(rows);
    for (RowWriterMetricsRecorder.Outcome outcome : RowWriterMetricsRecorder.Outcome.values()) {
      assertThat(rowsOfOutcome(outcome.name().toLowerCase(Locale.ROOT)))
          .as("rows for outcome %s of a writer's row", outcome)
          .isEqualTo(1);
    }
  }

  @Test
  void everyOutcomeIsDescribed() throws IOException {
    for (String outcome : MicrometerRecorderTest.OUTCOMES) {
      assertThat(rowsOfOutcome(outcome))
          .as("rows for outcome %s of a reservation", outcome)
          .isEqualTo(1);
    }
  }
}
