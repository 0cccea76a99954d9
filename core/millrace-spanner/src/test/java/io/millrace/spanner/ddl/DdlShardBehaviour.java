package io.millrace.spanner.ddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.google.cloud.ByteArray;
import com.google.cloud.Date;
import com.google.cloud.Timestamp;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.Statement;
import com.google.cloud.spanner.Struct;
import com.google.cloud.spanner.Value;
import com.google.common.hash.Hashing;
import io.millrace.key.KeyEncoder;
import io.millrace.key.Shards;
import io.millrace.spanner.internal.Identifiers;
import io.millrace.test.emulator.EmulatorDatabase;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The shards that the server derives, against the same made here, on each kind of database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DdlShardBehaviour {

  private static final long SEED = 20260401;
  private static final int ROWS = 300;
  private static final long SHARDS = 64;

  private static final ColumnType INT64 = ColumnType.int64();

  private EmulatorDatabase database;

  @BeforeAll
  void connect(EmulatorDatabase created) {
    database = created;
  }

  EmulatorDatabase database() {
    return database;
  }

  private Dialect dialect() {
    return database.dialect();
  }

  private void create(TableDdl table) {
    database.update(table.toDdl(dialect()));
  }

  /**
   * A type whose values have shards, and rows of it: each value with its bytes, or null for text.
   */
  record Kind(String name, ColumnType type, List<Value> values) {
    @Override
    public String toString() {
      return name;
    }
  }

  Stream<Kind> kinds() {
    Random random = new Random(SEED);
    return Stream.of(
        new Kind(
            "Texts",
            ColumnType.longestString(),
            Stream.concat(
                    Stream.of(
                        "", "a", "ünïcödé", "\uD83D\uDE00", "\\x4142", "\\101", "'", "3:abc,"),
                    IntStream.range(8, ROWS).mapToObj(i -> "user-" + i))
                .map(Value::string)
                .toList()),
        new Kind(
            "Bytes",
            ColumnType.bytes(20),
            values(
                i -> {
                  byte[] bytes = new byte[i % 21];
                  random.nextBytes(bytes);
                  return Value.bytes(ByteArray.copyFrom(bytes));
                })),
        new Kind(
            "Numbers",
            ColumnType.int64(),
            values(i -> Value.int64(i < 2 ? Long.MIN_VALUE + i : i < ROWS / 2 ? -i : i))),
        new Kind("Bools", ColumnType.bool(), List.of(Value.bool(true), Value.bool(false))),
        new Kind(
            "Dates",
            ColumnType.date(),
            values(
                i ->
                    Value.date(
                        Date.parseDate(LocalDate.of(1, 1, 1).plusDays(12_000L * i).toString())))),
        new Kind(
            "Times",
            ColumnType.timestamp(),
            values(i -> Value.timestamp(time(-60_000_000_000L + 400_000_000L * i, i)))));
  }

  private static List<Value> values(Function<Integer, Value> value) {
    return IntStream.range(0, ROWS).boxed().map(value).toList();
  }

  /** A time with 0, 3 or 6 digits of a second's fraction. */
  private static Timestamp time(long seconds, int i) {
    int[] nanos = {0, 120_000_000, 1_000, 999_999_000};
    return Timestamp.ofTimeSecondsAndNanos(seconds, nanos[i % nanos.length]);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void theShardOfAColumnIsItsFingerprintModuloTheShards(Kind kind) {
    create(
        TableDdl.named(kind.name)
            .shardColumn("Shard", SHARDS, "V")
            .signedShardColumn("Signed", SHARDS, "V")
            .shardColumn("Only", 1, "V")
            .shardColumn("Most", 1L << 31, "V")
            .column("V", kind.type)
            .column("Id", ColumnType.int64())
            .primaryKey("Shard", "Id")
            .build());
    insert(kind.name, IntStream.range(0, kind.values.size()).mapToObj(i -> row(i, kind, i)));

    boolean bytes = kind.type.isBytes();
    int negative = 0;
    List<Struct> rows =
        query(
            "SELECT {Id}, {Shard}, {Signed}, {Only}, {Most}, "
                + (bytes ? "{V}" : text("{V}"))
                + " FROM {"
                + kind.name
                + "} ORDER BY {Id}");
    assertThat(rows).hasSameSizeAs(kind.values);
    for (Struct row : rows) {
      byte[] hashed =
          bytes ? row.getBytes(5).toByteArray() : row.getString(5).getBytes(StandardCharsets.UTF_8);
      long hash = fingerprint(hashed);
      negative += hash < 0 ? 1 : 0;
      assertThat(row.getLong(1)).isBetween(0L, SHARDS - 1).isEqualTo(Math.floorMod(hash, SHARDS));
      assertThat(row.getLong(2)).isEqualTo(hash % SHARDS);
      assertThat(row.getLong(3)).isZero();
      assertThat(row.getLong(4)).isEqualTo(Math.floorMod(hash, 1L << 31));
    }
    if (rows.size() == ROWS) {
      assertThat(negative).as("rows with a negative fingerprint").isBetween(ROWS / 3, ROWS * 2 / 3);
    }
  }

  @Test
  void theShardOfSeveralColumnsIsThatOfTheirNetstrings() {
    create(
        TableDdl.named("Several")
            .shardColumn("Shard", SHARDS, "A", "T", "B")
            .signedShardColumn("Signed", SHARDS, "A", "T", "B")
            .column("A", ColumnType.string(100))
            .column("B", ColumnType.int64())
            .column("T", ColumnType.timestamp())
            .column("Id", ColumnType.int64())
            .primaryKey("Shard", "A", "T", "B", "Id")
            .build());
    List<String> odd = List.of("", "1:a,", "ünï", "\uD83D\uDE00,", "\\x41", "\\101", "a'b", "a\"b");
    insert(
        "Several",
        IntStream.range(0, ROWS)
            .mapToObj(
                i ->
                    Mutation.newInsertBuilder("Several")
                        .set("A")
                        .to(i < odd.size() ? odd.get(i) : "user-" + i)
                        .set("B")
                        .to(i % 2 == 0 ? -i : i)
                        .set("T")
                        .to(time(1_700_000_000L + i, i))
                        .set("Id")
                        .to(i)
                        .build()));
    List<Struct> rows =
        query(
            "SELECT {Shard}, {Signed}, {A}, "
                + text("{T}")
                + ", "
                + text("{B}")
                + " FROM {Several} ORDER BY {Id}");
    assertThat(rows).hasSize(ROWS);
    int negative = 0;
    for (Struct row : rows) {
      ByteArrayOutputStream netstrings = new ByteArrayOutputStream();
      for (int i = 2; i < 5; i++) {
        netstrings.writeBytes(netstring(row.getString(i).getBytes(StandardCharsets.UTF_8)));
      }
      long hash = fingerprint(netstrings.toByteArray());
      negative += hash < 0 ? 1 : 0;
      assertThat(row.getLong(0)).isBetween(0L, SHARDS - 1).isEqualTo(Math.floorMod(hash, SHARDS));
      assertThat(row.getLong(1)).isEqualTo(hash % SHARDS);
    }
    assertThat(negative).as("rows with a negative fingerprint").isGreaterThan(ROWS / 3);
  }

  @Test
  void bytesThatAreNoTextHaveNetstringsToo() {
    create(
        TableDdl.named("Mixed")
            .shardColumn("Shard", SHARDS, "A", "B", "C")
            .column("A", ColumnType.string(100))
            .column("B", ColumnType.longestBytes())
            .column("C", ColumnType.int64())
            .column("Id", ColumnType.int64())
            .primaryKey("Shard", "A", "B", "C", "Id")
            .build());
    Random random = new Random(SEED);
    List<byte[]> bytes = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      bytes.add(new byte[i % 40]);
      random.nextBytes(bytes.get(i));
    }
    insert(
        "Mixed",
        IntStream.range(0, ROWS)
            .mapToObj(
                i ->
                    Mutation.newInsertBuilder("Mixed")
                        .set("A")
                        .to("ü\\" + i)
                        .set("B")
                        .to(ByteArray.copyFrom(bytes.get(i)))
                        .set("C")
                        .to(-i)
                        .set("Id")
                        .to(i)
                        .build()));
    List<Struct> rows = query("SELECT {Shard} FROM {Mixed} ORDER BY {Id}");
    assertThat(rows).hasSize(ROWS);
    for (int i = 0; i < ROWS; i++) {
      ByteArrayOutputStream netstrings = new ByteArrayOutputStream();
      netstrings.writeBytes(netstring(("ü\\" + i).getBytes(StandardCharsets.UTF_8)));
      netstrings.writeBytes(netstring(bytes.get(i)));
      netstrings.writeBytes(netstring(("" + -i).getBytes(StandardCharsets.UTF_8)));
      assertThat(rows.get(i).getLong(0))
          .isEqualTo(Math.floorMod(fingerprint(netstrings.toByteArray()), SHARDS));
    }
  }

  @Test
  void whereTextsMeetMakesADifference() {
    create(
        TableDdl.named("Pairs")
            .signedShardColumn("Shard", 1L << 31, "A", "B")
            .column("A", ColumnType.string(9))
            .column("B", ColumnType.string(9))
            .primaryKey("A", "B")
            .build());
    insert(
        "Pairs",
        Stream.of("ab/c", "a/bc", "/abc", "abc/")
            .map(pair -> pair.split("/", -1))
            .map(
                pair ->
                    Mutation.newInsertBuilder("Pairs")
                        .set("A")
                        .to(pair[0])
                        .set("B")
                        .to(pair[1])
                        .build()));
    assertThat(query("SELECT {Shard} FROM {Pairs}"))
        .hasSize(4)
        .extracting(row -> row.getLong(0))
        .doesNotHaveDuplicates();
  }

  @Test
  void aShardOfNullIsNull() {
    create(
        TableDdl.named("Nulls")
            .column("Id", ColumnType.int64())
            .nullableColumn("A", ColumnType.string(9))
            .shardColumn("One", SHARDS, "A")
            .shardColumn("Two", SHARDS, "Id", "A")
            .primaryKey("Id")
            .build());
    insert("Nulls", Stream.of(Mutation.newInsertBuilder("Nulls").set("Id").to(1).build()));
    assertThat(query("SELECT {Id}, {One}, {Two} FROM {Nulls}"))
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.isNull(1)).isTrue();
              assertThat(row.isNull(2)).isTrue();
            });
  }

  private static Instant instant(Timestamp time) {
    return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
  }

  /** Values for a column of a table with many, and the client's encoder of that column. */
  private record Source(ColumnType type, IntFunction<Value> value, Function<Value, byte[]> bytes) {

    static final List<String> ODD_TEXTS =
        List.of(
            "", "1:a,", "ünïcödé", "\uD83D\uDE00", "\\x41", "\\101", "a'b\"c`", "x".repeat(300));

    static final Source TEXT =
        new Source(
            ColumnType.longestString(),
            i -> Value.string(i < ODD_TEXTS.size() ? ODD_TEXTS.get(i) : "user-" + i),
            value -> KeyEncoder.string().encode(value.getString()));
    static final Source NUMBER =
        new Source(
            ColumnType.int64(),
            i -> Value.int64(i == 0 ? Long.MIN_VALUE : i % 2 == 0 ? -i : i),
            value -> KeyEncoder.int64().encode(value.getInt64()));
    static final Source TIME =
        new Source(
            ColumnType.timestamp(),
            i -> Value.timestamp(time(-60_000_000_000L + 4_000_000_000L * (i % 70), i)),
            value ->
                KeyEncoder.timestamp(ZoneId.of("America/Los_Angeles"))
                    .encode(instant(value.getTimestamp())));
    static final Source BOOL =
        new Source(
            ColumnType.bool(),
            i -> Value.bool(i % 2 == 0),
            value -> KeyEncoder.bool().encode(value.getBool()));
    static final Source DATE =
        new Source(
            ColumnType.date(),
            i -> Value.date(Date.parseDate(LocalDate.of(1, 1, 1).plusDays(52_000L * i).toString())),
            value -> KeyEncoder.date().encode(LocalDate.parse(value.getDate().toString())));
    static final Source BYTES =
        new Source(
            ColumnType.longestBytes(),
            i -> Value.bytes(ByteArray.copyFrom(new byte[] {(byte) i, 0, (byte) 0xFF, '\\', ','})),
            value -> value.getBytes().toByteArray());

    static final List<Source> TEXTS = List.of(TEXT, NUMBER, TIME, BOOL, DATE);
    static final List<Source> WITH_BYTES = List.of(BYTES, TEXT, NUMBER, TIME, BOOL, DATE);
  }

  /** The client's shard of as many values as there are sources. */
  private static Shards<List<Value>> clientShards(List<Source> sources) {
    List<KeyEncoder<List<Value>>> parts = new ArrayList<>();
    for (int i = 0; i < sources.size(); i++) {
      int part = i;
      parts.add(values -> sources.get(part).bytes().apply(values.get(part)));
    }
    @SuppressWarnings({"unchecked", "rawtypes"})
    KeyEncoder<List<Value>> all =
        parts.size() == 1
            ? parts.get(0)
            : KeyEncoder.netstrings((KeyEncoder<List<Value>>[]) parts.toArray(new KeyEncoder[0]));
    return Shards.farmFingerprint(SHARDS, all);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shardsOfOneToFifteenColumnsAgreeWithTheClients(boolean withBytes) {
    List<Source> kinds = withBytes ? Source.WITH_BYTES : Source.TEXTS;
    int rows = 60;
    for (int width : new int[] {1, 2, 3, 5, 8, 12, 15}) {
      List<Source> sources =
          IntStream.range(0, width).mapToObj(i -> kinds.get(i % kinds.size())).toList();
      String[] columns = IntStream.range(0, width).mapToObj(i -> "C" + i).toArray(String[]::new);
      String name = (withBytes ? "Bytewise" : "Wide") + width;
      TableDdlBuilder table =
          TableDdl.named(name).shardColumn("Shard", SHARDS, columns).column("Id", INT64);
      for (int i = 0; i < width; i++) {
        table.column(columns[i], sources.get(i).type());
      }
      String[] key = Stream.concat(Stream.of("Shard"), Stream.of(columns)).toArray(String[]::new);
      create(table.primaryKey(key).build());
      List<List<Value>> written =
          IntStream.range(0, rows)
              .mapToObj(row -> sources.stream().map(source -> source.value().apply(row)).toList())
              .distinct()
              .toList();
      insert(
          name,
          IntStream.range(0, written.size())
              .mapToObj(
                  row -> {
                    Mutation.WriteBuilder insert =
                        Mutation.newInsertBuilder(name).set("Id").to(row);
                    for (int i = 0; i < columns.length; i++) {
                      insert.set(columns[i]).to(written.get(row).get(i));
                    }
                    return insert.build();
                  }));
      Shards<List<Value>> client = clientShards(sources);
      assertThat(query("SELECT {Shard} FROM {" + name + "} ORDER BY {Id}"))
          .as("%d columns", width)
          .hasSize(written.size())
          .extracting(row -> row.getLong(0))
          .containsExactlyElementsOf(written.stream().map(client).toList());
    }
  }

  @Test
  void aShardOfFifteenColumnsIsNullWhereOneOfThemIs() {
    String[] columns = IntStream.range(0, 15).mapToObj(i -> "C" + i).toArray(String[]::new);
    TableDdlBuilder table = TableDdl.named("WideNulls").column("Id", INT64);
    Stream.of(columns).forEach(column -> table.nullableColumn(column, ColumnType.string(9)));
    create(table.shardColumn("Shard", SHARDS, columns).primaryKey("Id").build());
    insert(
        "WideNulls",
        IntStream.rangeClosed(0, 15)
            .mapToObj(
                missing -> {
                  Mutation.WriteBuilder insert =
                      Mutation.newInsertBuilder("WideNulls").set("Id").to(missing);
                  for (int i = 0; i < columns.length; i++) {
                    insert.set(columns[i]).to(i == missing ? null : "v" + i);
                  }
                  return insert.build();
                }));
    List<Struct> rows = query("SELECT {Shard} FROM {WideNulls} ORDER BY {Id}");
    assertThat(rows).hasSize(16);
    assertThat(rows.subList(0, 15)).allMatch(row -> row.isNull(0));
    List<Source> texts = Collections.nCopies(15, Source.TEXT);
    assertThat(rows.get(15).getLong(0))
        .isEqualTo(
            clientShards(texts)
                .applyAsLong(IntStream.range(0, 15).mapToObj(i -> Value.string("v" + i)).toList()));
  }

  /** A table with so many columns, and a shard of all of them. */
  private static TableDdl wide(String name, ColumnType first, ColumnType others, int width) {
    String[] columns = IntStream.range(0, width).mapToObj(i -> "C" + i).toArray(String[]::new);
    TableDdlBuilder table = TableDdl.named(name).column("Id", INT64);
    for (int i = 0; i < width; i++) {
      table.column(columns[i], i == 0 ? first : others);
    }
    return table.shardColumn("Shard", SHARDS, columns).primaryKey("Id").build();
  }

  @Test
  void whatToDdlLetsPassSpannerTakes() {
    ColumnType bytes = ColumnType.bytes(9);
    ColumnType text = ColumnType.string(9);
    int passed = 0;
    int refused = 0;
    for (ColumnType first : List.of(INT64, text, bytes)) {
      for (int width : new int[] {16, 125, 126, 250, 251}) {
        String ddl;
        try {
          ddl = wide("Widest", first, first == bytes ? INT64 : first, width).toDdl(dialect());
        } catch (IllegalArgumentException tooMuch) {
          assertThat(tooMuch).hasMessageContainingAll("at most", "Spanner", "columns");
          refused++;
          continue;
        }
        passed++;
        assertThatCode(() -> database.update(ddl))
            .as("%d columns, the first %s", width, first)
            .doesNotThrowAnyException();
        database.update("DROP TABLE " + Identifiers.quote(dialect(), "Widest"));
      }
    }
    assertThat(passed).isGreaterThanOrEqualTo(10);
    assertThat(refused).isBetween(3, 5);
  }

  private Mutation row(int id, Kind kind, int i) {
    return Mutation.newInsertBuilder(kind.name)
        .set("Id")
        .to(id)
        .set("V")
        .to(kind.values.get(i))
        .build();
  }

  private void insert(String table, Stream<Mutation> rows) {
    List<Mutation> all = rows.toList();
    assertThat(all).as("rows for " + table).isNotEmpty();
    database.client().write(all);
  }

  /** The text that the server makes of a column. */
  private String text(String column) {
    return "CAST(" + column + (dialect() == Dialect.POSTGRESQL ? " AS varchar)" : " AS STRING)");
  }

  /** Runs a query in which names stand in braces. */
  private List<Struct> query(String sql) {
    String mark = dialect() == Dialect.POSTGRESQL ? "\"" : "`";
    try (ResultSet rows =
        database
            .client()
            .singleUse()
            .executeQuery(Statement.of(sql.replace("{", mark).replace("}", mark)))) {
      List<Struct> all = new ArrayList<>();
      while (rows.next()) {
        all.add(rows.getCurrentRowAsStruct());
      }
      return all;
    }
  }

  private static long fingerprint(byte[] bytes) {
    return Hashing.farmHashFingerprint64().hashBytes(bytes).asLong();
  }

  private static byte[] netstring(byte[] value) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes((value.length + ":").getBytes(StandardCharsets.US_ASCII));
    all.writeBytes(value);
    all.write(',');
    return all.toByteArray();
  }
}
