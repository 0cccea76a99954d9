package io.millrace.spanner.ddl;

import static io.millrace.spanner.ddl.KeyColumn.ascending;
import static io.millrace.spanner.ddl.KeyColumn.descending;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.Timestamp;
import com.google.cloud.spanner.Mutation;
import io.millrace.test.emulator.SpannerTest;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@SpannerTest
class GoogleSqlDdlTest extends DdlBehaviour {

  @Test
  void aDescendingKeyReadsNewestFirst() {
    TableDdl log =
        TableDdl.named("NewestFirst")
            .column("UserId", ColumnType.string(36))
            .column("LastAccess", ColumnType.timestamp())
            .primaryKey(ascending("UserId"), descending("LastAccess"))
            .build();
    TableDdl clicks =
        TableDdl.named("NewestClicks")
            .column("UserId", ColumnType.string(36))
            .column("LastAccess", ColumnType.commitTimestamp())
            .column("Price", ColumnType.numeric())
            .primaryKey(ascending("UserId"), descending("LastAccess"), descending("Price"))
            .interleavedIn(log)
            .build();
    create(log);
    create(clicks);
    create(
        IndexDdl.on(clicks, "NewestClicksByPrice")
            .columns(ascending("UserId"), descending("LastAccess"), ascending("Price"))
            .interleavedIn(log)
            .build());
    assertThat(columnsOf("NewestFirst", "PRIMARY_KEY"))
        .containsExactly("UserId ASC", "LastAccess DESC");
    assertThat(columnsOf("NewestClicks", "PRIMARY_KEY"))
        .containsExactly("UserId ASC", "LastAccess DESC", "Price DESC");
    insert(
        IntStream.range(0, 5)
            .mapToObj(
                i ->
                    row("NewestFirst")
                        .set("UserId")
                        .to("u")
                        .set("LastAccess")
                        .to(Timestamp.ofTimeSecondsAndNanos(i, 0))
                        .build())
            .toArray(Mutation[]::new));
    assertThat(read("NewestFirst", "LastAccess"))
        .extracting(row -> row.getTimestamp(0).getSeconds())
        .containsExactly(4L, 3L, 2L, 1L, 0L);
  }

  @Test
  void anIndexIsNullFilteredOnlyWhenTold() {
    TableDdl table =
        TableDdl.named("Filtered")
            .column("Id", ColumnType.int64())
            .nullableColumn("A", ColumnType.int64())
            .primaryKey("Id")
            .build();
    create(table);
    create(IndexDdl.on(table, "FilteredA").columns("A").nullFiltered().build());
    create(IndexDdl.on(table, "AllA").columns("A").build());
    assertThat(
            query(
                "SELECT index_name, is_null_filtered FROM information_schema.indexes"
                    + " WHERE table_name = 'Filtered' AND index_type = 'INDEX'"))
        .extracting(row -> row.getString(0) + " " + row.getBoolean(1))
        .containsExactlyInAnyOrder("FilteredA true", "AllA false");
  }
}
