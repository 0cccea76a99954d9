package io.millrace.advisor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a type says of the values of a column, where the emulator does not know the type. */
class NatureTest {

  private static Nature.Kind kind(DdlDialect dialect, String ddl) {
    Table table =
        SchemaFiles.of(dialect, List.of(new DdlFile(Path.of("a.sql"), ddl)))
            .tables()
            .values()
            .iterator()
            .next();
    return Nature.of(table.columns().get(0), table, dialect.catalog()).kind();
  }

  @ParameterizedTest
  @ValueSource(strings = {"shop.Mood", "`shop.Mood`", "ENUM<shop.Mood>", "BOOL"})
  void anEnumerationHasFewValues(String type) {
    String ddl = "CREATE TABLE Diaries (Felt " + type + ", Id STRING(36)) PRIMARY KEY (Felt, Id)";
    assertThat(kind(DdlDialect.GOOGLESQL, ddl)).isEqualTo(Nature.Kind.FEW);
  }

  @Test
  void aCommitTimestampOfPostgreSqlIsATime() {
    String ddl = "CREATE TABLE diaries (felt spanner.commit_timestamp, PRIMARY KEY (felt))";
    assertThat(kind(DdlDialect.POSTGRESQL, ddl)).isEqualTo(Nature.Kind.TIME);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "BOOL AS (At IS NOT NULL) STORED | FEW",
        "INT64 DEFAULT (MOD(UNIX_MICROS(CURRENT_TIMESTAMP()), 16)) | SHARD",
        "STRING(20) AS (REVERSE(CAST(Seq AS STRING))) STORED | SHARD",
        "DATE AS (EXTRACT( DATE FROM At)) STORED | TIME",
        "TIMESTAMP AS (IF(Ok, At, NULL)) STORED | TIME",
        "TIMESTAMP AS (CASE WHEN Seq IS NULL THEN At END) STORED | TIME",
        "INT64 AS (IF(At IS NULL, 1, 0)) STORED | FEW",
        "INT64 AS (IF(COALESCE(At, At) > '2026-01-01', 1, 0)) STORED | FEW",
        "INT64 AS (CAST(At IS NOT NULL AS INT64)) STORED | FEW",
        "STRING(9) AS (CASE WHEN At > '2026-01-01' THEN 'new' WHEN Ok THEN 'old' END) STORED | FEW",
        "INT64 AS (CASE Seq WHEN 1 THEN 2 ELSE Score END) STORED | OPEN",
        "INT64 DEFAULT (EXTRACT(YEAR FROM CURRENT_DATE())) | OPEN",
        "INT64 DEFAULT (EXTRACT(EPOCH FROM CURRENT_TIMESTAMP())) | TIME"
      })
  void whatIsComputedFromATimeOrACounterRisesUnlessItIsSpreadOrHasFewValues(
      String definition, Nature.Kind kind) {
    String ddl =
        "CREATE TABLE T (C "
            + definition
            + ", Ok BOOL, At TIMESTAMP, Seq INT64, Score INT64) PRIMARY KEY (C)";
    assertThat(kind(DdlDialect.GOOGLESQL, ddl)).isEqualTo(kind);
  }

  @Test
  void columnsThatAreAllComputedFromEachOtherAreJudgedOnceEach() {
    String all = IntStream.range(0, 30).mapToObj(i -> "C" + i).collect(Collectors.joining(" + "));
    String ddl =
        IntStream.range(0, 30)
            .mapToObj(i -> "C" + i + " INT64 AS (" + all + ") STORED")
            .collect(
                Collectors.joining(", ", "CREATE TABLE T (", ", At TIMESTAMP) PRIMARY KEY (C0)"));
    assertTimeoutPreemptively(
        Duration.ofMinutes(1),
        () -> assertThat(kind(DdlDialect.GOOGLESQL, ddl)).isEqualTo(Nature.Kind.OPEN));
  }
}
