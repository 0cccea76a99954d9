package io.millrace.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a type says of the values of a column, where the emulator does not know the type. */
class NatureTest {

  private static Nature.Kind kind(Catalog catalog, String ddl) {
    Table table =
        SchemaFiles.of(catalog, List.of(new DdlFile(Path.of("a.sql"), ddl)))
            .tables()
            .values()
            .iterator()
            .next();
    return Nature.of(table.columns().get(0), table, catalog).kind();
  }

  @ParameterizedTest
  @ValueSource(strings = {"shop.Mood", "`shop.Mood`", "ENUM<shop.Mood>", "BOOL"})
  void anEnumerationHasFewValues(String type) {
    String ddl = "CREATE TABLE Diaries (Felt " + type + ", Id STRING(36)) PRIMARY KEY (Felt, Id)";
    assertThat(kind(Catalog.SPANNER, ddl)).isEqualTo(Nature.Kind.FEW);
  }

  @Test
  void aCommitTimestampOfPostgreSqlIsATime() {
    String ddl = "CREATE TABLE diaries (felt spanner.commit_timestamp, PRIMARY KEY (felt))";
    assertThat(kind(Catalog.SPANNER_POSTGRESQL, ddl)).isEqualTo(Nature.Kind.TIME);
  }
}
