package io.millrace.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.Dialect;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerTest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Spanner accepts the statements that correct an index, and the index keeps all else. */
@SpannerTest
class RemediesTest {

  private final EmulatorDatabase shared;

  RemediesTest(EmulatorDatabase shared) {
    this.shared = shared;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "CREATE UNIQUE NULL_FILTERED INDEX I ON T (Seen DESC, B) STORING (C)"
            + " | CREATE UNIQUE NULL_FILTERED INDEX I ON `T` (`ShardOfSeen`, Seen DESC, B) STORING (C)",
        "CREATE INDEX IF NOT EXISTS I ON T (Seen, B) WHERE Seen IS NOT NULL AND B IS NOT NULL"
            + " | CREATE INDEX IF NOT EXISTS I ON `T` (`ShardOfSeen`, Seen, B) WHERE Seen IS NOT NULL AND B IS NOT NULL",
        "CREATE INDEX I ON T (Minute) | CREATE INDEX I ON `T` (`ShardOfMinute`, Minute)",
        "CREATE INDEX I ON T (Written) | CREATE INDEX I ON `T` (`ShardOfId`, Written)",
        "CREATE INDEX I ON T (Status, Seen) | CREATE INDEX I ON `T` (`ShardOfSeen`, Status, Seen)",
        "CREATE INDEX I ON T (Seen); ALTER INDEX I ADD STORED COLUMN C; ALTER INDEX I ADD STORED COLUMN B"
            + " | CREATE INDEX I ON `T` (`ShardOfSeen`, Seen); ALTER INDEX I ADD STORED COLUMN C;"
            + " ALTER INDEX I ADD STORED COLUMN B",
        "CREATE INDEX I ON T (Seen); ALTER TABLE T RENAME TO U"
            + " | CREATE INDEX I ON `U` (`ShardOfSeen`, Seen)",
      })
  void anIndexOfGoogleSqlIsPutBehindAShard(String index, String corrected) {
    corrects(
        Dialect.GOOGLE_STANDARD_SQL,
        "CREATE TABLE T (Id STRING(36), Seen TIMESTAMP, Written TIMESTAMP OPTIONS"
            + " (allow_commit_timestamp = true), Minute TIMESTAMP AS (TIMESTAMP_TRUNC(Seen, MINUTE,"
            + " 'UTC')) STORED, Status STRING(9), B INT64, C INT64) PRIMARY KEY (Id)",
        index,
        corrected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "CREATE UNIQUE INDEX i ON t (seen DESC NULLS LAST, b) INCLUDE (c) WHERE seen IS NOT NULL"
            + " | CREATE UNIQUE INDEX i ON \"t\" (\"ShardOfSeen\", seen DESC NULLS LAST, b) INCLUDE"
            + " (c) WHERE seen IS NOT NULL",
        "CREATE INDEX i ON t USING btree (seen) | CREATE INDEX i ON \"t\" (\"ShardOfSeen\", seen)",
        "CREATE INDEX i ON t (number) | CREATE INDEX i ON \"t\" (\"ShardOfNumber\", number)",
        "CREATE INDEX i ON t (written) | CREATE INDEX i ON \"t\" (\"ShardOfId\", written)",
        "CREATE INDEX i ON t (seen); ALTER INDEX i ADD INCLUDE COLUMN c"
            + " | CREATE INDEX i ON \"t\" (\"ShardOfSeen\", seen); ALTER INDEX i ADD INCLUDE COLUMN c",
      })
  void anIndexOfPostgreSqlIsPutBehindAShard(String index, String corrected) {
    corrects(
        Dialect.POSTGRESQL,
        "CREATE TABLE t (id varchar(36) PRIMARY KEY, seen varchar(30) DEFAULT"
            + " CURRENT_TIMESTAMP::varchar, written spanner.commit_timestamp, seq bigint, number"
            + " bigint GENERATED ALWAYS AS (seq + 1) STORED, b bigint, c bigint)",
        index,
        corrected);
  }

  private void corrects(Dialect dialect, String table, String index, String corrected) {
    List<String> statements = new ArrayList<>(List.of(table));
    statements.addAll(List.of(index.split("; ")));
    Advice advice = Described.advice(Described.dialect(dialect), statements.toArray(String[]::new));
    assertThat(advice.findings()).hasSize(1);
    List<String> remedy = advice.findings().get(0).remedy();
    assertThat(remedy).hasSizeGreaterThan(2);
    assertThat(remedy.get(0)).startsWith("ALTER TABLE ");
    assertThat(remedy.get(1)).startsWith("DROP INDEX ");
    assertThat(remedy.subList(2, remedy.size())).isEqualTo(List.of(corrected.split("; ")));

    statements.addAll(remedy);
    try (EmulatorDatabase database =
        shared.emulator().createDatabase(dialect, statements.toArray(String[]::new))) {
      Schema after = Described.parsed(Described.dialect(dialect), database.ddl());
      assertThat(after.tables().get(0).indexes().get(0).parts().get(0).column())
          .startsWith("ShardOf");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "CREATE TABLE T (At TIMESTAMP, Id STRING(36)) PRIMARY KEY (At, Id)"
            + " | Put another column first: PRIMARY KEY (`Id`, `At` DESC).",
        "CREATE TABLE T (Day DATE) PRIMARY KEY (Day)"
            + " | Put a shard first: `ShardId` INT64 AS (MOD(MOD(FARM_FINGERPRINT(CAST(`Day` AS"
            + " STRING)), 16) + 16, 16)) STORED, PRIMARY KEY (`ShardId`, `Day`).",
        "CREATE TABLE T (W TIMESTAMP OPTIONS (allow_commit_timestamp = true)) PRIMARY KEY (W)"
            + " | Put a shard first: a random number below 16 as `ShardId`, PRIMARY KEY (`ShardId`, `W`).",
        "CREATE TABLE T (SeqNo INT64) PRIMARY KEY (SeqNo)"
            + " | Let Spanner number the rows: `SeqNo` INT64 GENERATED BY DEFAULT AS IDENTITY"
            + " (BIT_REVERSED_POSITIVE).",
        "CREATE TABLE T (Uuid7 BYTES(16)) PRIMARY KEY (Uuid7)"
            + " | Fill `Uuid7` with UUIDs of version 4.",
        "CREATE TABLE T (K STRING(36) AS (LOWER(Uuid7)) STORED, Uuid7 STRING(36)) PRIMARY KEY (K)"
            + " | Compute `K` from a UUID of version 4.",
        "CREATE TABLE T (Status STRING(9), Due DATE, Id STRING(36)) PRIMARY KEY (Status, Due, Id)"
            + " | Put another column first: PRIMARY KEY (`Id`, `Status`, `Due`).",
      })
  void theRemedyOfAKeyIsASentence(String table, String sentence) {
    assertThat(Described.advice(DdlDialect.GOOGLESQL, table).findings())
        .singleElement()
        .extracting(Finding::remedy)
        .isEqualTo(List.of(sentence));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CREATE INDEX I ON T (Seen) | CREATE INDEX I ON `T` (`Shard`, Seen)",
        "CREATE INDEX I ON T (Seen, Shard) | Put `Shard` first in the index.",
      })
  void anIndexOfAShardedTableIsPutBehindItsShard(String index, String remedy) {
    assertThat(
            Described.advice(
                    DdlDialect.GOOGLESQL,
                    "CREATE TABLE T (Shard INT64, Id STRING(36), Seen DATE) PRIMARY KEY (Shard, Id)",
                    index)
                .findings())
        .singleElement()
        .satisfies(found -> assertThat(found.remedy()).endsWith(remedy));
  }
}
