package io.millrace.spanner.ddl;

import static com.google.cloud.spanner.Dialect.GOOGLE_STANDARD_SQL;
import static com.google.cloud.spanner.Dialect.POSTGRESQL;
import static io.millrace.spanner.ddl.KeyColumn.ascending;
import static io.millrace.spanner.ddl.KeyColumn.descending;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class IndexDdlTest {

  private final TableDdl users =
      TableDdl.named("Users").column("UserId", ColumnType.string(36)).primaryKey("UserId").build();

  private final TableDdl log =
      TableDdl.named("UserAccessLog")
          .column("UserId", ColumnType.string(36))
          .nullableColumn("LastAccess", ColumnType.timestamp())
          .nullableColumn("Note", ColumnType.json())
          .nullableColumn("Price", ColumnType.numeric())
          .shardColumn("AccessShard", 64, "LastAccess")
          .primaryKey("UserId")
          .interleavedIn(users)
          .build();

  private void refuses(IndexDdlBuilder index, String... parts) {
    assertThatIllegalArgumentException()
        .isThrownBy(index::build)
        .satisfies(e -> assertThat(e).hasMessageContainingAll(parts));
  }

  private IndexDdlBuilder index() {
    return IndexDdl.on(log, "ByAccess");
  }

  @Test
  void aShardedIndexLeavesOutNulls() {
    IndexDdl index =
        index().columns(ascending("AccessShard"), descending("LastAccess")).nullFiltered().build();
    assertThat(index.toDdl(GOOGLE_STANDARD_SQL))
        .isEqualTo(
            "CREATE NULL_FILTERED INDEX `ByAccess` ON `UserAccessLog`"
                + " (`AccessShard`, `LastAccess` DESC)")
        .isEqualTo(index.toString());
    assertThat(index.toDdl(POSTGRESQL))
        .isEqualTo(
            "CREATE INDEX \"ByAccess\" ON \"UserAccessLog\""
                + " (\"AccessShard\", \"LastAccess\" DESC)"
                + " WHERE \"AccessShard\" IS NOT NULL AND \"LastAccess\" IS NOT NULL");
  }

  @Test
  void allClausesStandInTheOrderOfTheDialect() {
    IndexDdl index =
        index()
            .columns("UserId", "LastAccess")
            .storing("Price", "Note")
            .unique()
            .nullFiltered()
            .interleavedIn(users)
            .build();
    assertThat(index.toDdl(GOOGLE_STANDARD_SQL))
        .isEqualTo(
            "CREATE UNIQUE NULL_FILTERED INDEX `ByAccess` ON `UserAccessLog`"
                + " (`UserId`, `LastAccess`) STORING (`Price`, `Note`), INTERLEAVE IN `Users`");
    assertThat(index.toDdl(POSTGRESQL))
        .isEqualTo(
            "CREATE UNIQUE INDEX \"ByAccess\" ON \"UserAccessLog\""
                + " (\"UserId\", \"LastAccess\") INCLUDE (\"Price\", \"Note\")"
                + " INTERLEAVE IN \"Users\""
                + " WHERE \"UserId\" IS NOT NULL AND \"LastAccess\" IS NOT NULL");
  }

  @Test
  void anIndexIsInTheSchemaOfItsTable() {
    TableDdl table =
        TableDdl.named("logs.T").column("a", ColumnType.int64()).primaryKey("a").build();
    IndexDdl index = IndexDdl.on(table, "I").columns("a").build();
    assertThat(index.toDdl(GOOGLE_STANDARD_SQL))
        .isEqualTo("CREATE INDEX `logs`.`I` ON `logs`.`T` (`a`)");
    assertThat(index.toDdl(POSTGRESQL)).isEqualTo("CREATE INDEX \"I\" ON \"logs\".\"T\" (\"a\")");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> IndexDdl.on(table, "logs.I"))
        .withMessageContaining("'logs.I'");
  }

  @Test
  void itsColumnsAreDifferentOnesOfTheTable() {
    refuses(index(), "'ByAccess'", "from 1 to 16", "had 0");
    refuses(index().columns("Nothing"), "'ByAccess'", "'Nothing'", "'UserAccessLog'", "UserId");
    refuses(index().columns("LastAccess", "LastAccess"), "'LastAccess' twice");
    refuses(index().columns("Note"), "'Note' of type JSON");
    IndexDdl byPrice = index().columns("Price").build();
    assertThat(byPrice.toDdl(GOOGLE_STANDARD_SQL)).endsWith("(`Price`)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> byPrice.toDdl(POSTGRESQL))
        .withMessageContaining("'Price' of type NUMERIC");
  }

  @Test
  void itStoresWhatItDoesNotHave() {
    refuses(index().columns("LastAccess").storing("LastAccess"), "'LastAccess'", "already");
    refuses(index().columns("LastAccess").storing("UserId"), "'UserId'", "primary key");
    refuses(index().columns("LastAccess").storing("Note", "Note"), "'Note'");
    refuses(index().columns("LastAccess").storing("Nothing"), "'Nothing'");
  }

  @Test
  void itIsInterleavedInAnAncestorWhoseKeyItBeginsWith() {
    refuses(index().columns("LastAccess").interleavedIn(users), "'ByAccess'", "(UserId STRING(36)");
    refuses(index().columns(descending("UserId")).interleavedIn(users), "UserId STRING(36)");
    refuses(index().columns("UserId").interleavedIn(log), "'UserAccessLog'");
    TableDdl clicks =
        TableDdl.named("Clicks")
            .column("UserId", ColumnType.string(36))
            .column("Nr", ColumnType.int64())
            .primaryKey("UserId", "Nr")
            .interleavedIn(log)
            .build();
    assertThat(IndexDdl.on(clicks, "ByNr").columns("UserId", "Nr").interleavedIn(users).build())
        .as("an ancestor two tables up")
        .hasToString("CREATE INDEX `ByNr` ON `Clicks` (`UserId`, `Nr`), INTERLEAVE IN `Users`");
  }
}
