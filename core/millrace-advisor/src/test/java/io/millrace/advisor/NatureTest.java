package io.millrace.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a type says of the values of a column, where the emulator does not know the type. */
class NatureTest {

  private static Nature.Kind kind(DdlDialect dialect, String ddl) {
    Table table =
        SchemaFiles.of(dialect, List.of(new DdlFile(Path.of("a.sql"), ddl))).tables().get(0);
    return new Natures(dialect).of(table, table.columns().get(0).name()).kind();
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
        "INT64 AS (CAST((At) IS NULL AS INT64)) STORED | FEW",
        "INT64 AS (IF(COALESCE(T.At, T.At) IS NOT NULL, Score, 0)) STORED | OPEN",
        "INT64 AS (CASE WHEN CASE WHEN Ok THEN Seq END > 1 THEN Score END) STORED | OPEN",
        "INT64 AS (IF(Ok, CASE WHEN Seq > 1 THEN Score ELSE Seq END, 0)) STORED | COUNTED",
        "STRING(9) AS (IF(Ok, \"At\", 'Seq')) STORED | FEW",
        "STRING(9) AS (CONCAT('\\'', CAST(At AS STRING), '\\'')) STORED | TIME",
        "STRING(99) AS (FORMAT('%d-%t', Score, At)) STORED | OPEN",
        "STRING(99) AS (FORMAT('%t-%d', At, Score)) STORED | TIME",
        "TIMESTAMP AS (TIMESTAMP(JSON_VALUE(Doc, '$.made'))) STORED | TIME",
        "TIMESTAMP AS (TIMESTAMP(BirthDate)) STORED | OPEN",
        "TIMESTAMP AS (IF(Ok, NULL, TIMESTAMP '2026-01-01')) STORED | FEW",
        "INT64 AS (MOD (Seq, 16)) STORED | SHARD",
        "INT64 AS (DIV(ScanTime, 1000)) STORED | MAYBE_TIME",
        "INT64 AS (ScanTime + Seq) STORED | COUNTED",
        "INT64 AS (COALESCE(Seq, UNIX_SECONDS(At))) STORED | COUNTED",
        "INT64 AS (COALESCE(UNIX_SECONDS(At), Seq)) STORED | TIME",
        "INT64 DEFAULT (EXTRACT(YEAR FROM CURRENT_DATE())) | OPEN",
        "INT64 DEFAULT (EXTRACT(EPOCH FROM CURRENT_TIMESTAMP())) | TIME"
      })
  void judgesComputedColumnsByTheirSources(String definition, Nature.Kind kind) {
    String ddl =
        "CREATE TABLE T (C "
            + definition
            + ", Ok BOOL, At TIMESTAMP, Seq INT64, Score INT64, ScanTime INT64, Doc JSON, BirthDate"
            + " DATE) PRIMARY KEY (C)";
    assertThat(kind(DdlDialect.GOOGLESQL, ddl)).isEqualTo(kind);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "date GENERATED ALWAYS AS (CAST(\"At\" AS date)) STORED | TIME",
        "bigint GENERATED ALWAYS AS (CASE WHEN ok THEN \"Seq\" ELSE 0 END) STORED | COUNTED",
        "bigint GENERATED ALWAYS AS (CASE WHEN \"At\" IS NULL THEN 0 ELSE 1 END) STORED | FEW",
        "varchar GENERATED ALWAYS AS (CASE WHEN ok THEN '\"Seq\"' ELSE $$\"At\"$$ END) STORED | FEW",
        "bigint GENERATED ALWAYS AS (seq + 1) STORED | OPEN",
        "bigint GENERATED ALWAYS AS (\"load %\" + 1) STORED | OPEN",
      })
  void inPostgreSqlAQuotedWordIsAName(String definition, Nature.Kind kind) {
    String ddl =
        "CREATE TABLE t (c "
            + definition
            + ", ok bool, \"At\" timestamptz, seq numeric, \"Seq\" bigint, \"load %\" bigint,"
            + " PRIMARY KEY (c))";
    assertThat(kind(DdlDialect.POSTGRESQL, ddl)).isEqualTo(kind);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '^',
      value = {
        "GOOGLESQL; LOWER(`Name`); name",
        "POSTGRESQL; lower((\"At\")::text || Name); At, text, name",
      })
  void eachDialectHasNamesOfItsOwn(DdlDialect dialect, String expression, String names) {
    assertThat(Expression.of(expression, dialect).names()).isEqualTo(List.of(names.split(", ")));
  }
}
