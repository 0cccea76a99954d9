package io.millrace.spanner.ddl;

import static com.google.cloud.spanner.Dialect.GOOGLE_STANDARD_SQL;
import static com.google.cloud.spanner.Dialect.POSTGRESQL;
import static io.millrace.spanner.ddl.KeyColumn.ascending;
import static io.millrace.spanner.ddl.KeyColumn.descending;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.google.cloud.spanner.Dialect;
import io.millrace.key.CompositeKey;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TableDdlTest {

  private static TableDdlBuilder log() {
    return TableDdl.named("UserAccessLog")
        .column("LastAccess", ColumnType.timestamp())
        .column("UserId", ColumnType.string(36));
  }

  private static void refuses(TableDdlBuilder table, String... parts) {
    assertThatIllegalArgumentException()
        .isThrownBy(table::build)
        .satisfies(e -> assertThat(e).hasMessageContainingAll(parts));
  }

  @Test
  void theGuidesShardOfOneColumnKeepsTheSign() {
    TableDdl table =
        TableDdl.named("UserAccessLog")
            .signedShardColumn("ShardId", 2048, "LastAccess")
            .column("LastAccess", ColumnType.timestamp())
            .column("UserId", ColumnType.string(36))
            .primaryKey("ShardId", "LastAccess", "UserId")
            .build();
    assertThat(table.toDdl(GOOGLE_STANDARD_SQL))
        .isEqualTo(
            "CREATE TABLE `UserAccessLog` ("
                + "`ShardId` INT64 NOT NULL"
                + " AS (MOD(FARM_FINGERPRINT(CAST(`LastAccess` AS STRING)), 2048)) STORED,"
                + " `LastAccess` TIMESTAMP NOT NULL, `UserId` STRING(36) NOT NULL)"
                + " PRIMARY KEY (`ShardId`, `LastAccess`, `UserId`)")
        .isEqualTo(table.toString());
    assertThat(table.toDdl(POSTGRESQL))
        .isEqualTo(
            "CREATE TABLE \"UserAccessLog\" ("
                + "\"ShardId\" bigint NOT NULL GENERATED ALWAYS"
                + " AS (MOD(spanner.farm_fingerprint(CAST(\"LastAccess\" AS varchar)), 2048))"
                + " STORED,"
                + " \"LastAccess\" timestamptz NOT NULL, \"UserId\" varchar(36) NOT NULL,"
                + " PRIMARY KEY (\"ShardId\", \"LastAccess\", \"UserId\"))");
  }

  @Test
  void aShardIsNotNegativeUnlessAskedFor() {
    assertThat(log().shardColumn("S", 64, "UserId").primaryKey("S", "UserId").build())
        .hasToString(
            "CREATE TABLE `UserAccessLog` (`LastAccess` TIMESTAMP NOT NULL,"
                + " `UserId` STRING(36) NOT NULL, `S` INT64 NOT NULL"
                + " AS (MOD(MOD(FARM_FINGERPRINT(`UserId`), 64) + 64, 64)) STORED)"
                + " PRIMARY KEY (`S`, `UserId`)");
  }

  @Test
  void aShardOfSeveralColumnsIsOfTheirNetstrings() {
    TableDdl table =
        log().shardColumn("S", 64, "UserId", "LastAccess").primaryKey("S", "UserId").build();
    assertThat(table.toDdl(GOOGLE_STANDARD_SQL))
        .contains(
            "FARM_FINGERPRINT(CONCAT("
                + "CAST(BYTE_LENGTH(`UserId`) AS STRING), ':', `UserId`, ',', "
                + "CAST(BYTE_LENGTH(CAST(`LastAccess` AS STRING)) AS STRING), ':',"
                + " CAST(`LastAccess` AS STRING), ','))");
    assertThat(table.toDdl(POSTGRESQL))
        .contains(
            "spanner.farm_fingerprint("
                + "((CAST(LENGTH(CAST(\"UserId\" AS bytea)) AS varchar) || ':')"
                + " || (\"UserId\" || ','))"
                + " || ((CAST(LENGTH(CAST(CAST(\"LastAccess\" AS varchar) AS bytea)) AS varchar)"
                + " || ':') || (CAST(\"LastAccess\" AS varchar) || ',')))");
  }

  @Test
  void aMessageNamesTheFirstColumnsOfATableOnly() {
    TableDdlBuilder table = log();
    IntStream.range(0, 1_000)
        .forEach(i -> table.column("C" + i + "x".repeat(120), ColumnType.bool()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> table.primaryKey("Absent").build())
        .withMessageMatching(
            "the primary key of table '.*' names column 'Absent', and table '.*' has only"
                + " \\[.{0,3000}\\] and 9\\d\\d more");
  }

  @Test
  void aShardIsOfAtMost250Columns() {
    String[] columns = IntStream.range(0, 251).mapToObj(i -> "C" + i).toArray(String[]::new);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> log().shardColumn("S", 8, columns))
        .withMessage("shard 'S' can be derived from at most 250 columns in Spanner, was from 251");
  }

  @Test
  void aShardMayBeNullWhereWhatItIsDerivedFromMay() {
    TableDdlBuilder table =
        log()
            .nullableColumn("Paid", ColumnType.date())
            .shardColumn("PaidShard", 8, "UserId", "Paid")
            .shardColumn("UserShard", 8, "UserId");
    assertThat(table.primaryKey("UserId").build().toString())
        .contains("`Paid` DATE,", "`PaidShard` INT64 AS (", "`UserShard` INT64 NOT NULL AS (");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, (1L << 31) + 1, Long.MIN_VALUE, Long.MAX_VALUE})
  void aNumberOfShardsOutOfRangeIsRefused(long shards) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> log().shardColumn("S", shards, "UserId"))
        .withMessage("shards must be from 1 to 2147483648, was " + shards);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> log().signedShardColumn("S", shards, "UserId"))
        .withMessageContaining("was " + shards);
  }

  @Test
  void theLimitsOfTheNumberOfShardsAreLegal() {
    assertThat(log().shardColumn("S", 1, "UserId").primaryKey("S").build().toString())
        .contains("MOD(MOD(FARM_FINGERPRINT(`UserId`), 1) + 1, 1)");
    assertThat(log().shardColumn("S", 1L << 31, "UserId").primaryKey("S").build().toString())
        .contains(", 2147483648) + 2147483648, 2147483648)");
  }

  @Test
  void aShardIsDerivedFromColumnsThatAreThereOnceEach() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> log().shardColumn("S", 8))
        .withMessageContaining("'S'")
        .withMessageContaining("no column");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> log().shardColumn("S", 8, "UserId", "UserId"))
        .withMessageContaining("'UserId' twice");
    refuses(
        log().shardColumn("S", 8, "userid").primaryKey("S"),
        "'S'",
        "'userid'",
        "'UserAccessLog'",
        "[LastAccess, UserId, S]");
  }

  @Test
  void aShardIsNotDerivedFromWhatTheServerDerivesNoneFrom() {
    TableDdlBuilder table =
        log()
            .column("Written", ColumnType.commitTimestamp())
            .column("Price", ColumnType.numeric())
            .column("Weight", ColumnType.float64())
            .column("Note", ColumnType.json())
            .primaryKey("UserId");
    refuses(table.shardColumn("A", 8, "Written"), "'A'", "'Written'", "allow_commit_timestamp");
    refuses(
        log().column("P", ColumnType.numeric()).shardColumn("S", 8, "P").primaryKey("S"),
        "'P' of type NUMERIC");
    refuses(
        log().column("P", ColumnType.float64()).shardColumn("S", 8, "P").primaryKey("S"),
        "'P' of type FLOAT64");
    refuses(
        log().column("P", ColumnType.json()).shardColumn("S", 8, "P").primaryKey("S"),
        "'P' of type JSON");
    refuses(
        log().shardColumn("S", 8, "UserId").shardColumn("T", 8, "S").primaryKey("T"),
        "'T'",
        "another shard, 'S'");
  }

  @Test
  void aShardInTheKeyIsDerivedFromAtMostOneColumnOutside() {
    assertThat(log().shardColumn("S", 8, "UserId", "LastAccess").primaryKey("S", "UserId").build())
        .isNotNull();
    refuses(
        log()
            .column("Host", ColumnType.string(9))
            .shardColumn("S", 8, "UserId", "LastAccess")
            .primaryKey("S", "Host"),
        "'S'",
        "at most 1",
        "[UserId, LastAccess]");
    refuses(
        log().uuidColumn("Id").shardColumn("S", 8, "Id").primaryKey("S", "UserId"),
        "'S'",
        "'Id'",
        "default");
    assertThat(log().uuidColumn("Id").shardColumn("S", 8, "Id").primaryKey("S", "Id").build())
        .isNotNull();
    assertThat(
            log()
                .shardColumn("S", 8, "UserId", "LastAccess")
                .column("Host", ColumnType.string(9))
                .primaryKey("Host")
                .build())
        .as("a shard outside the key")
        .isNotNull();
  }

  @Test
  void aKeyMayDescendInGoogleSqlAndIsRefusedInPostgreSqlWithAWayOut() {
    TableDdl table = log().primaryKey(ascending("UserId"), descending("LastAccess")).build();
    assertThat(table.toDdl(GOOGLE_STANDARD_SQL))
        .endsWith(" PRIMARY KEY (`UserId`, `LastAccess` DESC)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> table.toDdl(POSTGRESQL))
        .withMessageContaining("'UserAccessLog'")
        .withMessageContaining("'LastAccess' descending")
        .withMessageContaining("index");
  }

  @Test
  void aKeyThatReadsRowsGivesItsColumnsAndTheirOrder() {
    CompositeKey<String> key =
        CompositeKey.<String>builder()
            .part("UserId", user -> user)
            .descending("LastAccess", user -> Instant.EPOCH)
            .build();
    TableDdl table = log().primaryKey(key).build();
    assertThat(table.toString()).endsWith(" PRIMARY KEY (`UserId`, `LastAccess` DESC)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> table.toDdl(POSTGRESQL))
        .withMessageContaining("'LastAccess' descending");
  }

  @Test
  void aKeyThatReadsRowsFromNoNameIsRefused() {
    CompositeKey<String> key = CompositeKey.<String>builder().part("User Id", user -> user).build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> log().primaryKey(key))
        .withMessageContaining("'User Id'");
  }

  @Test
  void aKeyHasFromOneToSixteenDifferentColumnsOfTheTable() {
    refuses(log(), "'UserAccessLog'", "from 1 to 16", "had 0");
    refuses(log().primaryKey("UserId", "Host"), "'Host'", "[LastAccess, UserId]");
    refuses(log().primaryKey("UserId", "UserId"), "'UserId' twice");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> log().primaryKey("UserId DESC"))
        .withMessageContaining("'UserId DESC'");
    TableDdlBuilder wide = TableDdl.named("Wide");
    IntStream.range(0, 17).forEach(i -> wide.column("c" + i, ColumnType.int64()));
    String[] names = IntStream.range(0, 17).mapToObj(i -> "c" + i).toArray(String[]::new);
    refuses(wide.primaryKey(names), "had 17");
  }

  @Test
  void aKeyHasOnlyTypesThatCompare() {
    refuses(log().column("Note", ColumnType.json()).primaryKey("Note"), "'Note' of type JSON");
    TableDdl prices =
        TableDdl.named("Prices").column("P", ColumnType.numeric()).primaryKey("P").build();
    assertThat(prices.toDdl(GOOGLE_STANDARD_SQL)).endsWith("PRIMARY KEY (`P`)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> prices.toDdl(POSTGRESQL))
        .withMessageContaining("'P' of type NUMERIC")
        .withMessageContaining("POSTGRESQL");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1a", "a b", "a`b", "a\"b", "a'b", "a;DROP TABLE b", "ü", "a\n"})
  void whatIsNoNameIsRefusedEverywhere(String name) {
    String quoted = "'" + name.replace("\n", "\\u000A") + "'";
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TableDdl.named(name))
        .withMessageContaining(quoted);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> log().column(name, ColumnType.int64()))
        .withMessageContaining(quoted);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> log().shardColumn(name, 8, "UserId"))
        .withMessageContaining(quoted);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> log().uuidColumn(name))
        .withMessageContaining(quoted);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> descending(name))
        .withMessageContaining(quoted);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SequenceDdl.named(name))
        .withMessageContaining(quoted);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> IndexDdl.on(log().primaryKey("UserId").build(), name))
        .withMessageContaining(quoted);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> log().shardColumn("S", 8, name))
        .withMessageContaining(quoted);
  }

  @Test
  void columnsDifferInMoreThanCase() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> log().uuidColumn("USERID"))
        .withMessageContaining("'UserId'")
        .withMessageContaining("'USERID'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> log().shardColumn("UserId", 8, "LastAccess"));
  }

  @Test
  void namesOfSchemasAreQuotedApart() {
    TableDdl table =
        TableDdl.named("logs.Table")
            .column("Select", ColumnType.int64())
            .primaryKey("Select")
            .build();
    assertThat(table.toDdl(GOOGLE_STANDARD_SQL))
        .isEqualTo("CREATE TABLE `logs`.`Table` (`Select` INT64 NOT NULL) PRIMARY KEY (`Select`)");
    assertThat(table.toDdl(POSTGRESQL))
        .isEqualTo(
            "CREATE TABLE \"logs\".\"Table\" (\"Select\" bigint NOT NULL,"
                + " PRIMARY KEY (\"Select\"))");
  }

  @Test
  void eachTypeHasANameInEachDialect() {
    TableDdl table =
        TableDdl.named("T")
            .column("a", ColumnType.int64())
            .column("b", ColumnType.string(5))
            .column("c", ColumnType.longestString())
            .column("d", ColumnType.bytes(5))
            .column("e", ColumnType.longestBytes())
            .column("f", ColumnType.bool())
            .column("g", ColumnType.date())
            .column("h", ColumnType.timestamp())
            .column("i", ColumnType.commitTimestamp())
            .column("j", ColumnType.float64())
            .column("k", ColumnType.numeric())
            .nullableColumn("l", ColumnType.json())
            .primaryKey("a")
            .build();
    assertThat(table.toDdl(GOOGLE_STANDARD_SQL))
        .isEqualTo(
            "CREATE TABLE `T` (`a` INT64 NOT NULL, `b` STRING(5) NOT NULL,"
                + " `c` STRING(MAX) NOT NULL, `d` BYTES(5) NOT NULL, `e` BYTES(MAX) NOT NULL,"
                + " `f` BOOL NOT NULL, `g` DATE NOT NULL, `h` TIMESTAMP NOT NULL,"
                + " `i` TIMESTAMP NOT NULL OPTIONS (allow_commit_timestamp = true),"
                + " `j` FLOAT64 NOT NULL, `k` NUMERIC NOT NULL, `l` JSON) PRIMARY KEY (`a`)");
    assertThat(table.toDdl(POSTGRESQL))
        .isEqualTo(
            "CREATE TABLE \"T\" (\"a\" bigint NOT NULL, \"b\" varchar(5) NOT NULL,"
                + " \"c\" varchar NOT NULL, \"d\" bytea NOT NULL, \"e\" bytea NOT NULL,"
                + " \"f\" boolean NOT NULL, \"g\" date NOT NULL, \"h\" timestamptz NOT NULL,"
                + " \"i\" spanner.commit_timestamp NOT NULL,"
                + " \"j\" double precision NOT NULL, \"k\" numeric NOT NULL, \"l\" jsonb,"
                + " PRIMARY KEY (\"a\"))");
  }

  @Test
  void lengthsOutOfRangeAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ColumnType.string(0))
        .withMessage("the length of string must be from 1 to 2621440, was 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ColumnType.string(2_621_441))
        .withMessageContaining("was 2621441");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ColumnType.bytes(-1))
        .withMessage("the length of bytes must be from 1 to 10485760, was -1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ColumnType.bytes(10_485_761))
        .withMessageContaining("was 10485761");
  }

  @Test
  void theShortestAndTheLongestLengthAreLegal() {
    assertThat(ColumnType.string(1).toDdl(GOOGLE_STANDARD_SQL)).isEqualTo("STRING(1)");
    assertThat(ColumnType.string(2_621_440).toDdl(POSTGRESQL)).isEqualTo("varchar(2621440)");
    assertThat(ColumnType.bytes(10_485_760).toDdl(GOOGLE_STANDARD_SQL))
        .isEqualTo("BYTES(10485760)");
  }

  @Test
  void defaultsComeFromTheServer() {
    TableDdl table =
        TableDdl.named("T")
            .uuidColumn("U")
            .sequenceColumn("S", SequenceDdl.named("ids.Order"))
            .identityColumn("I", BitReversedCounter.from(50).skipping(1, 1000))
            .identityColumn("J", BitReversedCounter.fromOne())
            .primaryKey("U")
            .build();
    assertThat(table.toDdl(GOOGLE_STANDARD_SQL))
        .contains(
            "`U` STRING(36) NOT NULL DEFAULT (GENERATE_UUID()), ",
            "`S` INT64 NOT NULL DEFAULT (GET_NEXT_SEQUENCE_VALUE(SEQUENCE `ids`.`Order`)), ",
            "`I` INT64 NOT NULL GENERATED BY DEFAULT AS IDENTITY (BIT_REVERSED_POSITIVE"
                + " SKIP RANGE 1, 1000 START COUNTER WITH 50), ",
            "`J` INT64 NOT NULL GENERATED BY DEFAULT AS IDENTITY (BIT_REVERSED_POSITIVE))");
    assertThat(table.toDdl(POSTGRESQL))
        .contains(
            "\"U\" varchar(36) NOT NULL DEFAULT spanner.generate_uuid(), ",
            "\"S\" bigint NOT NULL DEFAULT nextval('ids.Order'), ",
            "\"I\" bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY (BIT_REVERSED_POSITIVE"
                + " SKIP RANGE 1 1000 START COUNTER WITH 50), ");
  }

  @Test
  void anInterleavedTableNamesItsParent() {
    TableDdl parent = log().primaryKey("UserId", "LastAccess").build();
    TableDdlBuilder child =
        TableDdl.named("Clicks")
            .column("UserId", ColumnType.string(36))
            .column("LastAccess", ColumnType.timestamp())
            .column("Nr", ColumnType.int64())
            .primaryKey("UserId", "LastAccess", "Nr")
            .interleavedIn(parent);
    assertThat(child.build().toDdl(GOOGLE_STANDARD_SQL))
        .endsWith(
            " PRIMARY KEY (`UserId`, `LastAccess`, `Nr`), INTERLEAVE IN PARENT `UserAccessLog`");
    assertThat(child.onDeleteCascade().build().toDdl(POSTGRESQL))
        .endsWith(
            ", PRIMARY KEY (\"UserId\", \"LastAccess\", \"Nr\"))"
                + " INTERLEAVE IN PARENT \"UserAccessLog\" ON DELETE CASCADE");
    refuses(log().primaryKey("UserId").onDeleteCascade(), "'UserAccessLog'", "interleaved");
  }

  @Test
  void theKeyOfAnInterleavedTableBeginsWithThatOfItsParent() {
    TableDdl parent = log().primaryKey(ascending("UserId"), descending("LastAccess")).build();
    String parentKey = "(UserId STRING(36) NOT NULL, LastAccess TIMESTAMP NOT NULL DESC)";
    assertThat(
            TableDdl.named("C")
                .column("UserId", ColumnType.string(36))
                .column("LastAccess", ColumnType.commitTimestamp())
                .primaryKey(ascending("UserId"), descending("LastAccess"))
                .interleavedIn(parent)
                .build())
        .as("the same key, one commit timestamp")
        .isNotNull();
    refuses(
        log().primaryKey("UserId", "LastAccess").interleavedIn(parent),
        "'UserAccessLog'",
        parentKey,
        "was (UserId STRING(36) NOT NULL, LastAccess TIMESTAMP NOT NULL)");
    refuses(log().primaryKey("UserId").interleavedIn(parent), parentKey);
    refuses(
        log().primaryKey(descending("LastAccess"), ascending("UserId")).interleavedIn(parent),
        parentKey);
    refuses(
        TableDdl.named("C")
            .column("UserId", ColumnType.string(37))
            .column("LastAccess", ColumnType.timestamp())
            .primaryKey(ascending("UserId"), descending("LastAccess"))
            .interleavedIn(parent),
        "STRING(37)");
    refuses(
        TableDdl.named("C")
            .column("UserId", ColumnType.string(36))
            .nullableColumn("LastAccess", ColumnType.timestamp())
            .primaryKey(ascending("UserId"), descending("LastAccess"))
            .interleavedIn(parent),
        "LastAccess TIMESTAMP DESC");
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void aTableDoesNotChangeWithItsBuilder(Dialect dialect) {
    TableDdlBuilder builder = log().primaryKey("UserId");
    TableDdl table = builder.build();
    String before = table.toDdl(dialect);
    builder.column("Later", ColumnType.int64()).primaryKey("Later");
    assertThat(table.toDdl(dialect)).isEqualTo(before).doesNotContain("Later");
    assertThat(builder.build().toDdl(dialect)).contains("Later");
  }

  @Test
  void nothingMayBeNull() {
    assertThatNullPointerException().isThrownBy(() -> log().interleavedIn(nothing()));
    assertThatNullPointerException().isThrownBy(() -> log().sequenceColumn("S", nothing()));
    assertThatNullPointerException().isThrownBy(() -> log().identityColumn("S", nothing()));
    assertThatNullPointerException()
        .isThrownBy(() -> log().column("S", nothing()))
        .withMessage("type");
    assertThatNullPointerException().isThrownBy(() -> new SequenceDdl("s", nothing()));
    assertThatNullPointerException().isThrownBy(() -> IndexDdl.on(nothing(), "i"));
    TableDdl table = log().primaryKey("UserId").build();
    IndexDdl index = IndexDdl.on(table, "i").columns("UserId").build();
    assertThatNullPointerException().isThrownBy(() -> table.toDdl(nothing()));
    assertThatNullPointerException().isThrownBy(() -> index.toDdl(nothing()));
    assertThatNullPointerException()
        .isThrownBy(() -> SequenceDdl.named("s").toDdl(nothing()))
        .withMessage("dialect");
  }

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <T> T nothing() {
    return null;
  }
}
