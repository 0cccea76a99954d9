package io.millrace.spanner.ddl;

import static io.millrace.spanner.ddl.KeyColumn.ascending;
import static io.millrace.spanner.ddl.KeyColumn.descending;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.cloud.ByteArray;
import com.google.cloud.Date;
import com.google.cloud.Timestamp;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.Statement;
import com.google.cloud.spanner.Struct;
import com.google.cloud.spanner.Value;
import io.millrace.key.BitReversal;
import io.millrace.test.emulator.EmulatorDatabase;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What tables, indexes and sequences created by DDL do, on each kind of database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DdlBehaviour {

  private EmulatorDatabase database;

  @BeforeAll
  void connect(EmulatorDatabase created) {
    database = created;
  }

  EmulatorDatabase database() {
    return database;
  }

  void create(TableDdl table) {
    database.update(table.toDdl(database.dialect()));
  }

  void create(IndexDdl index) {
    database.update(index.toDdl(database.dialect()));
  }

  private void create(SequenceDdl sequence) {
    database.update(sequence.toDdl(database.dialect()));
  }

  Timestamp insert(Mutation... rows) {
    return database.client().write(List.of(rows));
  }

  static Mutation.WriteBuilder row(String table) {
    return Mutation.newInsertBuilder(table);
  }

  private static List<Struct> all(ResultSet results) {
    try (results) {
      List<Struct> rows = new ArrayList<>();
      while (results.next()) {
        rows.add(results.getCurrentRowAsStruct());
      }
      return rows;
    }
  }

  List<Struct> read(String table, String... columns) {
    return all(database.client().singleUse().read(table, KeySet.all(), List.of(columns)));
  }

  List<Struct> readIndex(String table, String index, String... columns) {
    return all(
        database.client().singleUse().readUsingIndex(table, index, KeySet.all(), List.of(columns)));
  }

  List<Struct> query(String sql) {
    return all(database.client().singleUse().executeQuery(Statement.of(sql)));
  }

  private static List<Long> longs(List<Struct> rows) {
    return rows.stream().map(row -> row.getLong(0)).toList();
  }

  /** The columns of an index, or of a primary key, with their order. */
  List<String> columnsOf(String table, String index) {
    return query(
            "SELECT column_name, column_ordering FROM information_schema.index_columns"
                + (" WHERE table_name = '" + table + "' AND index_name = '" + index + "'")
                + " AND ordinal_position IS NOT NULL ORDER BY ordinal_position")
        .stream()
        .map(row -> row.getString(0) + " " + row.getString(1))
        .toList();
  }

  private String parentOf(String table, String index) {
    return query(
            "SELECT parent_table_name FROM information_schema.indexes"
                + (" WHERE table_name = '" + table + "' AND index_name = '" + index + "'"))
        .get(0)
        .getString(0);
  }

  private List<String> interleavingOf(String table) {
    Struct row =
        query(
                "SELECT parent_table_name, on_delete_action FROM information_schema.tables"
                    + (" WHERE table_name = '" + table + "'"))
            .get(0);
    return List.of(row.getString(0), row.getString(1));
  }

  private static void refused(ErrorCode code, Runnable write) {
    assertThatExceptionOfType(SpannerException.class)
        .isThrownBy(write::run)
        .satisfies(e -> assertThat(e.getErrorCode()).isEqualTo(code));
  }

  @Test
  void uuidsAreRandomAndOfVersionFour() {
    create(
        TableDdl.named("Sessions")
            .uuidColumn("Id")
            .column("Nr", ColumnType.int64())
            .primaryKey("Id")
            .build());
    insert(
        IntStream.range(0, 50)
            .mapToObj(i -> row("Sessions").set("Nr").to(i).build())
            .toArray(Mutation[]::new));
    assertThat(read("Sessions", "Id"))
        .hasSize(50)
        .extracting(row -> UUID.fromString(row.getString(0)))
        .allSatisfy(id -> assertThat(id.version()).isEqualTo(4))
        .doesNotHaveDuplicates();
    assertThat(columnsOf("Sessions", "PRIMARY_KEY")).containsExactly("Id ASC");
  }

  @Test
  void aSequenceGivesTheReversalsOfItsCounterAndSkipsItsRange() {
    SequenceDdl plain = SequenceDdl.named("Order");
    SequenceDdl elsewhere =
        new SequenceDdl(
            "ids.Select", BitReversedCounter.from(50).skipping(1L << 62, Long.MAX_VALUE));
    database.update("CREATE SCHEMA ids");
    create(plain);
    create(elsewhere);
    create(
        TableDdl.named("Orders")
            .sequenceColumn("Id", plain)
            .sequenceColumn("Other", elsewhere)
            .column("Nr", ColumnType.int64())
            .primaryKey("Id")
            .build());
    for (int i = 1; i <= 3; i++) {
      insert(row("Orders").set("Nr").to(i).build());
    }
    assertThat(read("Orders", "Nr", "Id", "Other"))
        .extracting(row -> List.of(row.getLong(0), row.getLong(1), row.getLong(2)))
        .containsExactlyInAnyOrder(numbers(1, 1, 50), numbers(2, 2, 52), numbers(3, 3, 54));
  }

  /**
   * A row's number, and the reversals of the two counters. The reversals of odd numbers, 1L << 62
   * and above, are skipped by the second.
   */
  private static List<Long> numbers(long nr, long counter, long other) {
    return List.of(
        nr,
        BitReversal.PRESERVING_SIGN.applyAsLong(counter),
        BitReversal.PRESERVING_SIGN.applyAsLong(other));
  }

  @Test
  void anIdentityColumnCountsForItselfAndTakesOtherValuesToo() {
    create(
        TableDdl.named("Invoices")
            .identityColumn("Id", BitReversedCounter.fromOne())
            .identityColumn("Other", BitReversedCounter.from(50).skipping(1L << 62, Long.MAX_VALUE))
            .column("Nr", ColumnType.int64())
            .primaryKey("Id")
            .build());
    for (int i = 1; i <= 3; i++) {
      insert(row("Invoices").set("Nr").to(i).build());
    }
    insert(row("Invoices").set("Id").to(7).set("Other").to(8).set("Nr").to(9).build());
    assertThat(read("Invoices", "Nr", "Id", "Other"))
        .extracting(row -> List.of(row.getLong(0), row.getLong(1), row.getLong(2)))
        .containsExactlyInAnyOrder(
            numbers(1, 1, 50), numbers(2, 2, 52), numbers(3, 3, 54), List.of(9L, 7L, 8L));
  }

  @Test
  void theGuidesTableHasItsShardFirst() {
    create(
        TableDdl.named("UserAccessLog")
            .shardColumn("ShardId", 2048, "LastAccess", "UserId")
            .column("LastAccess", ColumnType.timestamp())
            .column("UserId", ColumnType.string(36))
            .primaryKey("ShardId", "LastAccess", "UserId")
            .build());
    assertThat(columnsOf("UserAccessLog", "PRIMARY_KEY"))
        .containsExactly("ShardId ASC", "LastAccess ASC", "UserId ASC");
    insert(
        IntStream.range(0, 100)
            .mapToObj(
                i ->
                    row("UserAccessLog")
                        .set("LastAccess")
                        .to(Timestamp.ofTimeSecondsAndNanos(1_700_000_000 + i, 0))
                        .set("UserId")
                        .to("u")
                        .build())
            .toArray(Mutation[]::new));
    List<Long> shards = longs(read("UserAccessLog", "ShardId"));
    assertThat(shards).isSorted().allSatisfy(shard -> assertThat(shard).isBetween(0L, 2047L));
    assertThat(shards.stream().distinct()).as("consecutive times lie apart").hasSizeGreaterThan(80);
  }

  @Test
  void anInterleavedTableNeedsAndFollowsItsParent() {
    TableDdl users =
        TableDdl.named("Users")
            .column("UserId", ColumnType.string(36))
            .column("Name", ColumnType.string(36))
            .primaryKey("UserId")
            .build();
    TableDdlBuilder log =
        TableDdl.named("UserLog")
            .column("UserId", ColumnType.string(36))
            .column("LastAccess", ColumnType.timestamp())
            .primaryKey("UserId", "LastAccess")
            .interleavedIn(users);
    TableDdl kept =
        TableDdl.named("UserPosts")
            .column("UserId", ColumnType.string(36))
            .column("Nr", ColumnType.int64())
            .primaryKey("UserId", "Nr")
            .interleavedIn(users)
            .build();
    create(users);
    create(log.onDeleteCascade().build());
    create(kept);
    assertThat(interleavingOf("UserLog")).containsExactly("Users", "CASCADE");
    assertThat(interleavingOf("UserPosts")).containsExactly("Users", "NO ACTION");
    Mutation access =
        row("UserLog").set("UserId").to("a").set("LastAccess").to(Timestamp.MIN_VALUE).build();
    refused(ErrorCode.NOT_FOUND, () -> insert(access));
    insert(row("Users").set("UserId").to("a").set("Name").to("A").build(), access);
    assertThat(read("UserLog", "UserId")).hasSize(1);
    insert(Mutation.delete("Users", Key.of("a")));
    assertThat(read("UserLog", "UserId")).isEmpty();
    insert(
        row("Users").set("UserId").to("b").set("Name").to("B").build(),
        row("UserPosts").set("UserId").to("b").set("Nr").to(1).build());
    refused(ErrorCode.FAILED_PRECONDITION, () -> insert(Mutation.delete("Users", Key.of("b"))));
  }

  @Test
  void aShardedIndexLeavesOutNullsAndReadsNewestFirst() {
    TableDdl jobs =
        TableDdl.named("Jobs")
            .uuidColumn("Id")
            .nullableColumn("Due", ColumnType.timestamp())
            .nullableColumn("Nr", ColumnType.int64())
            .shardColumn("DueShard", 4, "Due")
            .primaryKey("Id")
            .build();
    create(jobs);
    create(
        IndexDdl.on(jobs, "JobsByDue")
            .columns(ascending("DueShard"), descending("Due"))
            .storing("Nr")
            .nullFiltered()
            .build());
    create(IndexDdl.on(jobs, "JobsByNr").columns("Nr").build());
    insert(
        LongStream.range(0, 40)
            .mapToObj(
                i -> {
                  Mutation.WriteBuilder job = row("Jobs").set("Nr").to(i);
                  return i % 4 == 0
                      ? job.build()
                      : job.set("Due").to(Timestamp.ofTimeSecondsAndNanos(1000 + i, 0)).build();
                })
            .toArray(Mutation[]::new));
    assertThat(columnsOf("Jobs", "JobsByDue")).containsExactly("DueShard ASC", "Due DESC");
    assertThat(longs(readIndex("Jobs", "JobsByNr", "Nr"))).hasSize(40);
    List<Struct> due = readIndex("Jobs", "JobsByDue", "DueShard", "Due", "Nr");
    assertThat(due).hasSize(30).extracting(row -> row.getLong(2) % 4).doesNotContain(0L);
    assertThat(longs(due).stream().distinct().toList()).containsExactly(0L, 1L, 2L, 3L);
    for (long shard = 0; shard < 4; shard++) {
      long one = shard;
      assertThat(due.stream().filter(row -> row.getLong(0) == one).map(row -> row.getTimestamp(1)))
          .isSortedAccordingTo((a, b) -> b.compareTo(a));
    }
  }

  @Test
  void aUniqueIndexRefusesASecondRowAndFiltersNullsOnlyWhenTold() {
    TableDdl accounts =
        TableDdl.named("Accounts")
            .uuidColumn("Id")
            .nullableColumn("Mail", ColumnType.string(99))
            .nullableColumn("Login", ColumnType.string(99))
            .column("Nr", ColumnType.int64())
            .primaryKey("Id")
            .build();
    create(accounts);
    create(IndexDdl.on(accounts, "AccountsByMail").columns("Mail").unique().nullFiltered().build());
    insert(row("Accounts").set("Nr").to(1).set("Mail").to("a").build());
    refused(
        ErrorCode.ALREADY_EXISTS,
        () -> insert(row("Accounts").set("Nr").to(2).set("Mail").to("a").build()));
    insert(row("Accounts").set("Nr").to(3).build());
    insert(row("Accounts").set("Nr").to(4).build());
    assertThat(read("Accounts", "Nr")).hasSize(3);
    assertThat(readIndex("Accounts", "AccountsByMail", "Mail")).hasSize(1);
  }

  @Test
  void anIndexIsInterleavedInAnAncestor() {
    TableDdl users =
        TableDdl.named("Authors").column("Id", ColumnType.int64()).primaryKey("Id").build();
    TableDdl posts =
        TableDdl.named("Posts")
            .column("Id", ColumnType.int64())
            .column("Nr", ColumnType.int64())
            .column("At", ColumnType.timestamp())
            .primaryKey("Id", "Nr")
            .interleavedIn(users)
            .build();
    create(users);
    create(posts);
    create(
        IndexDdl.on(posts, "PostsByTime")
            .columns(ascending("Id"), descending("At"))
            .interleavedIn(users)
            .build());
    create(
        IndexDdl.on(posts, "PostsByTimeOnce")
            .columns("Id", "At")
            .unique()
            .nullFiltered()
            .interleavedIn(users)
            .build());
    assertThat(parentOf("Posts", "PostsByTime")).isEqualTo("Authors");
    assertThat(parentOf("Posts", "PostsByTimeOnce")).isEqualTo("Authors");
    assertThat(columnsOf("Posts", "PostsByTime")).containsExactly("Id ASC", "At DESC");
    insert(
        Stream.concat(
                Stream.of(row("Authors").set("Id").to(1).build()),
                IntStream.range(0, 5)
                    .mapToObj(
                        i ->
                            row("Posts")
                                .set("Id")
                                .to(1)
                                .set("Nr")
                                .to(i)
                                .set("At")
                                .to(Timestamp.ofTimeSecondsAndNanos(i, 0))
                                .build()))
            .toArray(Mutation[]::new));
    assertThat(longs(readIndex("Posts", "PostsByTime", "Nr"))).containsExactly(4L, 3L, 2L, 1L, 0L);
    assertThat(longs(readIndex("Posts", "PostsByTimeOnce", "Nr")))
        .containsExactly(0L, 1L, 2L, 3L, 4L);
  }

  @Test
  void eachTypeHoldsItsValuesAndNullWhereAllowed() {
    create(
        TableDdl.named("Types")
            .column("Id", ColumnType.int64())
            .nullableColumn("Short", ColumnType.string(5))
            .nullableColumn("Text", ColumnType.longestString())
            .nullableColumn("Few", ColumnType.bytes(5))
            .nullableColumn("Bytes", ColumnType.longestBytes())
            .nullableColumn("Flag", ColumnType.bool())
            .nullableColumn("Day", ColumnType.date())
            .nullableColumn("At", ColumnType.timestamp())
            .nullableColumn("Written", ColumnType.commitTimestamp())
            .nullableColumn("Weight", ColumnType.float64())
            .nullableColumn("Price", ColumnType.numeric())
            .nullableColumn("Note", ColumnType.json())
            .column("Must", ColumnType.string(5))
            .primaryKey("Id")
            .build());
    boolean postgreSql = database.dialect() == Dialect.POSTGRESQL;
    List<Value> values =
        List.of(
            Value.int64(1),
            Value.string("äbcdé"),
            Value.string("x".repeat(10_000)),
            Value.bytes(ByteArray.copyFrom(new byte[5])),
            Value.bytes(ByteArray.copyFrom(new byte[10_000])),
            Value.bool(true),
            Value.date(Date.parseDate("2026-04-01")),
            Value.timestamp(Timestamp.parseTimestamp("2026-04-01T12:00:00.123456Z")),
            Value.timestamp(Value.COMMIT_TIMESTAMP),
            Value.float64(1.5),
            postgreSql ? Value.pgNumeric("1.5") : Value.numeric(new BigDecimal("1.5")),
            postgreSql ? Value.pgJsonb("{}") : Value.json("{}"),
            Value.string("must"));
    String[] names = {
      "Id", "Short", "Text", "Few", "Bytes", "Flag", "Day", "At", "Written", "Weight", "Price",
      "Note", "Must"
    };
    Mutation.WriteBuilder full = row("Types");
    for (int i = 0; i < names.length; i++) {
      full = full.set(names[i]).to(values.get(i));
    }
    Timestamp committed = insert(full.build());
    insert(row("Types").set("Id").to(2).set("Must").to("must").build());
    refused(ErrorCode.FAILED_PRECONDITION, () -> insert(row("Types").set("Id").to(3).build()));
    refused(
        ErrorCode.FAILED_PRECONDITION,
        () -> insert(row("Types").set("Id").to(3).set("Must").to("longer").build()));

    List<Struct> rows = read("Types", names);
    assertThat(rows).hasSize(2);
    for (int i = 0; i < names.length; i++) {
      Value expected = names[i].equals("Written") ? Value.timestamp(committed) : values.get(i);
      assertThat(rows.get(0).getValue(i)).as(names[i]).isEqualTo(expected);
      assertThat(rows.get(1).isNull(i))
          .as(names[i])
          .isEqualTo(!names[i].equals("Id") && !names[i].equals("Must"));
    }
  }

  @Test
  void reservedWordsAndSchemasAreNames() {
    TableDdl table =
        TableDdl.named("logs.Table")
            .shardColumn("From", 8, "Select", "Where")
            .column("Select", ColumnType.string(9))
            .column("Where", ColumnType.int64())
            .primaryKey("From", "Select", "Where")
            .build();
    database.update("CREATE SCHEMA logs");
    create(table);
    create(IndexDdl.on(table, "Group").columns(ascending("Where"), descending("Select")).build());
    create(
        TableDdl.named("logs.Order")
            .column("From", ColumnType.int64())
            .column("Select", ColumnType.string(9))
            .column("Where", ColumnType.int64())
            .column("By", ColumnType.int64())
            .primaryKey("From", "Select", "Where", "By")
            .interleavedIn(table)
            .build());
    insert(row("logs.Table").set("Select").to("a").set("Where").to(1).build());
    assertThat(read("logs.Table", "From")).hasSize(1);
    assertThat(columnsOf("Table", "Group")).containsExactly("Where ASC", "Select DESC");
    assertThat(interleavingOf("Order")).containsExactly("Table", "NO ACTION");
  }
}
