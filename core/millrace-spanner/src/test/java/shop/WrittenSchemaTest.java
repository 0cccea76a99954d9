package shop;

import static io.millrace.spanner.ddl.KeyColumn.descending;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.Dialect;
import io.millrace.advisor.Advice;
import io.millrace.advisor.Catalog;
import io.millrace.advisor.SchemaAdvisor;
import io.millrace.advisor.SpannerAdvisor;
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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The advisor reads the statements that this project writes as the database does. */
@SpannerTest
class WrittenSchemaTest {

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
    SpannerSequenceStore store =
        SpannerSequenceStore.builder(shared.client()).ledger("Entries").build();
    return List.of(
        store.createTableDdl(dialect),
        store.createLedgerDdl(dialect),
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

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void filesHaveTheSameFindingsAsTheDatabase(Dialect dialect, @TempDir Path folder)
      throws IOException {
    List<String> statements = statements(dialect);
    Path file = Files.writeString(folder.resolve("schema.sql"), String.join(";\n", statements));
    Catalog catalog = dialect == Dialect.POSTGRESQL ? Catalog.SPANNER_POSTGRESQL : Catalog.SPANNER;
    Advice ofFile = SchemaAdvisor.ofFiles(catalog, file).advice();
    try (EmulatorDatabase database =
        shared.emulator().createDatabase(dialect, statements.toArray(String[]::new))) {
      Advice ofDatabase = SpannerAdvisor.of(database.client()).advice();
      assertThat(ofFile.findings()).hasSizeGreaterThan(1);
      assertThat(ofFile.findings())
          .usingRecursiveFieldByFieldElementComparatorIgnoringFields("place", "remedy")
          .isEqualTo(ofDatabase.findings());
      assertThat(ofFile.notes()).isEqualTo(ofDatabase.notes());
      assertThat(List.of(ofFile.tables(), ofFile.indexes())).containsExactly(5, 1);
    }
  }
}
