package shop;

import static io.millrace.spanner.ddl.KeyColumn.descending;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.Dialect;
import io.millrace.spanner.SpannerSequenceStore;
import io.millrace.spanner.ddl.ColumnType;
import io.millrace.spanner.ddl.IndexDdl;
import io.millrace.spanner.ddl.SequenceDdl;
import io.millrace.spanner.ddl.TableDdl;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The statements that this project writes are those that the advisor is tested with. */
@SpannerTest
class WrittenSchemaTest {

  private static final Path ADVISOR =
      Path.of("..", "millrace-advisor", "src/test/resources/io/millrace/advisor");

  private final EmulatorDatabase shared;

  WrittenSchemaTest(EmulatorDatabase shared) {
    this.shared = shared;
  }

  private List<String> statements(Dialect dialect) {
    SequenceDdl sequence = SequenceDdl.named("Ids");
    TableDdl visits =
        TableDdl.named("Visits")
            .shardColumn("Shard", 16, "Visitor")
            .column("Visitor", ColumnType.string(36))
            .column("Seen", ColumnType.timestamp())
            .nullableColumn("Page", ColumnType.longestString())
            .primaryKey("Shard", "Visitor")
            .build();
    TableDdl logs =
        TableDdl.named("AccessLog")
            .column("Written", ColumnType.commitTimestamp())
            .uuidColumn("Id")
            .primaryKey("Written", "Id")
            .build();
    TableDdl orders =
        TableDdl.named("Orders").sequenceColumn("Id", sequence).primaryKey("Id").build();
    return List.of(
        SpannerSequenceStore.create(shared.client()).createTableDdl(dialect),
        sequence.toDdl(dialect),
        visits.toDdl(dialect),
        logs.toDdl(dialect),
        orders.toDdl(dialect),
        IndexDdl.on(visits, "BySeen")
            .columns(descending("Seen"))
            .storing("Page")
            .build()
            .toDdl(dialect));
  }

  /** The advisor's tests compare what it reads in this file with what the database says. */
  @ParameterizedTest
  @EnumSource(Dialect.class)
  void theAdvisorIsTestedWithTheseStatements(Dialect dialect) throws IOException {
    String name = dialect == Dialect.POSTGRESQL ? "postgresql" : "googlesql";
    assertThat(String.join(";\n\n", statements(dialect)) + ";")
        .isEqualToNormalizingNewlines(
            Files.readString(ADVISOR.resolve("written-" + name + ".sql")).strip());
  }
}
