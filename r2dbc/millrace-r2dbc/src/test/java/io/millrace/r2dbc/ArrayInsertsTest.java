package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.Pools;
import io.millrace.databases.PostgresServer;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.insert.InsertFailedException;
import io.millrace.insert.InsertOutcome;
import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.InsertOutcome.Rejected;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.postgresql.PostgresqlConnectionConfiguration;
import io.r2dbc.postgresql.PostgresqlConnectionFactory;
import io.r2dbc.postgresql.codec.EnumCodec;
import io.r2dbc.postgresql.codec.Interval;
import io.r2dbc.postgresql.codec.Json;
import io.r2dbc.postgresql.codec.Point;
import io.r2dbc.postgresql.codec.PostgresqlObjectId;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Parameters;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Statement;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Rows as arrays on PostgreSQL: the same rows as with parameters, and when parameters are used. */
@DatabaseTest(
    value = DatabaseKind.POSTGRESQL,
    ddl = {
      "CREATE TYPE mood AS ENUM ('happy', 'sad')",
      "CREATE TYPE state AS ENUM ('OPEN', 'SHUT')",
      "CREATE DOMAIN positive AS bigint CHECK (VALUE > 0)",
      "CREATE DOMAIN short AS varchar(3)"
    })
class ArrayInsertsTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** For each class at least two lists: ordinary values, and the ends of what it holds. */
  private static final List<List<Object>> VALUES =
      List.of(
          List.of((short) 1, (short) 20),
          List.of(Short.MIN_VALUE, (short) 0, Short.MAX_VALUE),
          List.of(1, 20),
          List.of(Integer.MIN_VALUE, 0, Integer.MAX_VALUE),
          List.of(1L, 20L),
          List.of(Long.MIN_VALUE, 0L, Long.MAX_VALUE),
          List.of(BigInteger.ONE, BigInteger.TWO.shiftLeft(200)),
          List.of(BigInteger.ONE, BigInteger.TEN),
          List.of(new BigDecimal("1.50"), new BigDecimal("-0.005"), new BigDecimal("2")),
          List.of(new BigDecimal("1E+30"), new BigDecimal("1E-30"), new BigDecimal("0.000")),
          List.of(0.1f, 2f),
          List.of(Float.MIN_VALUE, Float.MAX_VALUE, -0f, 1f / 3),
          List.of(Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY),
          List.of(0.1, 2.0),
          List.of(Double.MIN_VALUE, Double.MAX_VALUE, -0.0, 1.0 / 3, 2e-3, Double.MIN_NORMAL),
          List.of(Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY),
          List.of(true, false),
          List.of("a", "B"),
          List.of("", "NULL", "null", "a\"b\\c", "{x,y}", "'", " a ", "\n\t", "\u00e9\ud83d\ude00"),
          List.of("a\\nb", "\\x41", "$1", "?", ";", "\\", "\"\"", "tab\there"),
          List.of("happy", "sad"),
          List.of("longer than any limit"),
          List.of("12", "13"),
          List.of(new UUID(1, 2), new UUID(-1, Long.MAX_VALUE)),
          List.of(LocalDate.of(2024, 2, 29), LocalDate.EPOCH),
          List.of(LocalDate.of(-43, 3, 15), LocalDate.of(12024, 1, 1), LocalDate.MAX),
          List.of(LocalTime.NOON, LocalTime.of(1, 2, 3, 4_000)),
          List.of(LocalTime.MAX, LocalTime.MIDNIGHT, LocalTime.of(1, 2, 3, 499)),
          List.of(OffsetTime.of(1, 2, 3, 0, ZoneOffset.ofHoursMinutes(5, 45)), OffsetTime.MIN),
          List.of(LocalDateTime.of(2024, 2, 29, 1, 2, 3, 456_789_000)),
          List.of(LocalDateTime.of(-43, 3, 15, 1, 2), LocalDateTime.of(2024, 1, 1, 0, 0, 0, 500)),
          List.of(LocalDateTime.MAX, LocalDateTime.MIN, LocalDateTime.of(1999, 12, 31, 23, 59)),
          List.of(OffsetDateTime.of(2024, 1, 1, 1, 2, 3, 999_999_500, ZoneOffset.ofHours(-3))),
          List.of(OffsetDateTime.MAX, OffsetDateTime.of(-43, 1, 1, 1, 2, 3, 0, ZoneOffset.UTC)),
          List.of(LocalDateTime.of(2024, 7, 1, 1, 2).atZone(ZoneId.of("Asia/Kathmandu"))),
          List.of(LocalDateTime.of(-43, 7, 1, 1, 2).atZone(ZoneId.of("UTC"))),
          List.of(Instant.parse("2024-07-01T01:02:03.456789Z"), Instant.EPOCH),
          List.of(Instant.parse("-0043-07-01T01:02:03Z"), Instant.parse("9999-12-31T23:59:59Z")));

  record Row(long id, @Nullable Object value) {}

  private R2dbcDatabase database;
  private WatchedConnections watched;
  private ConnectionPool pool;

  @BeforeEach
  void connect(R2dbcDatabase created) {
    database = created;
    watched = new WatchedConnections(created.connections());
    pool = Pools.of(1, watched);
  }

  @AfterEach
  void close() {
    pool.disposeLater().block(LIMIT);
  }

  private void createTable(String table, String columns) {
    database.execute("DROP TABLE IF EXISTS " + table, "CREATE TABLE " + table + columns);
  }

  private static List<Row> rows(List<?> values) {
    return rows(0, values);
  }

  private static List<Row> rows(int from, List<?> values) {
    return IntStream.range(0, values.size())
        .mapToObj(i -> new Row(from + i, values.get(i)))
        .collect(Collectors.toList());
  }

  private <V> R2dbcInserts<Row> inserts(String table, Class<V> type) {
    return inserts(
        table,
        (row, columns) -> columns.set("id", row.id()).set("v", type.cast(row.value()), type));
  }

  private R2dbcInserts<Row> inserts(String table, BiConsumer<Row, InsertRow> columns) {
    return R2dbcInserts.<Row>into(pool, table, columns).dialect(R2dbcDialect.POSTGRESQL);
  }

  private R2dbcInserts<Row> inserts(String table) {
    return inserts(
        table,
        (row, columns) ->
            columns.set("id", row.id()).set("v", Objects.requireNonNull(row.value())));
  }

  private static List<InsertOutcome<Row>> outcomes(List<Row> rows, R2dbcInserts<Row> inserts) {
    return Objects.requireNonNull(
        Flux.fromIterable(rows).transform(inserts.ordered().outcomes()).collectList().block(LIMIT));
  }

  private static void writeAll(List<Row> rows, R2dbcInserts<Row> inserts) {
    assertThat(outcomes(rows, inserts)).hasSameSizeAs(rows).hasOnlyElementsOfType(Committed.class);
  }

  private <T> T using(Function<Connection, Mono<T>> work) {
    return Objects.requireNonNull(
        Mono.usingWhen(pool.create(), work, Connection::close).block(LIMIT));
  }

  /** The first column of a query, as texts. */
  private List<String> query(String sql) {
    return using(
        connection ->
            Flux.from(connection.createStatement(sql).execute())
                .concatMap(result -> result.map((row, meta) -> "" + row.get(0, String.class)))
                .collectList());
  }

  private List<String> stored(String table) {
    return stored(table, 0);
  }

  private List<String> stored(String table, long from) {
    return query("SELECT v::text FROM " + table + " WHERE id >= " + from + " ORDER BY id");
  }

  private boolean usedArrays() {
    return watched.statements().stream().anyMatch(sql -> sql.contains("unnest"));
  }

  /**
   * What becomes of rows: the texts that are stored, or that they are refused. The reason depends
   * on the row that the server looks at first.
   */
  private List<String> fate(String table, List<Row> rows, Runnable write) {
    try {
      write.run();
    } catch (R2dbcException refused) {
      return List.of("refused");
    } catch (InsertFailedException failed) {
      assertThat(failed).hasCauseInstanceOf(R2dbcException.class);
      return List.of("refused");
    }
    return stored(table, rows.get(0).id());
  }

  private void writeByHand(String table, List<Row> rows, Class<?> type) {
    String values =
        IntStream.range(0, rows.size())
            .mapToObj(i -> "($" + (2 * i + 1) + ", $" + (2 * i + 2) + ")")
            .collect(Collectors.joining(", "));
    using(
        connection -> {
          Statement statement =
              connection.createStatement("INSERT INTO " + table + " (id, v) VALUES " + values);
          for (int i = 0; i < rows.size(); i++) {
            Object value = rows.get(i).value();
            statement.bind(2 * i, rows.get(i).id());
            if (value == null) {
              statement.bindNull(2 * i + 1, type);
            } else {
              statement.bind(2 * i + 1, value);
            }
          }
          return Flux.from(statement.execute())
              .concatMap(Result::getRowsUpdated)
              .then(Mono.just(1));
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "integer",
        "bigint",
        "numeric(10, 2)",
        "text",
        "varchar(5)",
        "timestamptz",
        "uuid",
        "mood",
        "positive"
      })
  void storesArrayElementsLikeParameters(String type) {
    storesOrRefusesAsParameters(type);
  }

  @ParameterizedTest
  @Tag("long")
  @ValueSource(
      strings = {
        "smallint",
        "numeric",
        "real",
        "double precision",
        "money",
        "oid",
        "regclass",
        "boolean",
        "char(5)",
        "name",
        "\"char\"",
        "date",
        "time",
        "time(0)",
        "timetz",
        "timestamp",
        "timestamp(0)",
        "interval",
        "json",
        "jsonb",
        "xml",
        "bytea",
        "inet",
        "text[]",
        "bigint[]",
        "short"
      })
  void storesArrayElementsLikeParametersInRareTypes(String type) {
    storesOrRefusesAsParameters(type);
  }

  private void storesOrRefusesAsParameters(String type) {
    createTable("by_hand", " (id bigint PRIMARY KEY, v " + type + ")");
    createTable("as_arrays", " (id bigint PRIMARY KEY, v " + type + ")");
    Set<Class<?>> classes = new HashSet<>();
    int accepted = 0;
    int from = 0;
    for (List<Object> values : VALUES) {
      Class<?> valueClass = values.get(0).getClass();
      List<Object> withNull = new ArrayList<>(values);
      withNull.add(1, null);
      from += 100;
      List<Row> rows = rows(from, withNull);
      List<String> byHand = fate("by_hand", rows, () -> writeByHand("by_hand", rows, valueClass));
      watched.clear();
      List<String> asArrays =
          fate(
              "as_arrays",
              rows,
              () ->
                  Flux.fromIterable(rows)
                      .transform(inserts("as_arrays", valueClass).rows())
                      .blockLast(LIMIT));
      assertThat(asArrays).as("%s in a column of %s", withNull, type).isEqualTo(byHand);
      assertThat(watched.statements().get(0)).contains("unnest");
      classes.add(valueClass);
      accepted += byHand.size() > 1 ? 1 : 0;
    }
    assertThat(classes).isEqualTo(ArrayTypes.POSTGRESQL.byClass().keySet());
    assertThat(accepted).isBetween(0, VALUES.size());
    if (Set.of("text", "numeric", "timestamptz", "uuid", "positive", "boolean").contains(type)) {
      assertThat(accepted).isPositive();
    }
  }

  @Test
  void usesTheApplicationsCastOfTexts() {
    database.execute(
        "CREATE TYPE weather AS ENUM ('sun', 'rain')",
        "CREATE CAST (varchar AS weather) WITH INOUT AS ASSIGNMENT");
    createTable("forecast", " (id bigint PRIMARY KEY, v weather)");
    writeAll(rows(List.of("sun", "rain")), inserts("forecast"));
    assertThat(watched.statements()).filteredOn(WatchedConnections::isInsert).hasSize(1);
    assertThat(usedArrays()).isTrue();
    assertThat(stored("forecast")).containsExactly("sun", "rain");
  }

  @Test
  void rowsOfAnyNumberTakeOneText() {
    createTable("many", " (id bigint PRIMARY KEY, v text)");
    for (int count = 2; count < 40; count++) {
      int from = count * 100;
      writeAll(
          IntStream.range(0, count).mapToObj(i -> new Row(from + i, "v")).toList(),
          inserts("many"));
    }
    assertThat(watched.statements().stream().distinct())
        .containsExactly(
            "INSERT INTO \"many\" (\"id\", \"v\") SELECT * FROM unnest($1::bigint[],"
                + " $2::varchar[])");
    assertThat(query("SELECT count(*)::text FROM many"))
        .containsExactly(String.valueOf(IntStream.range(2, 40).sum()));
  }

  @Test
  void aSingleRowIsSentAsParameters() {
    createTable("single", " (id bigint PRIMARY KEY, v text)");
    writeAll(rows(List.of("x")), inserts("single"));
    assertThat(usedArrays()).isFalse();
    assertThat(stored("single")).containsExactly("x");
  }

  @Test
  void rowsKeepTheirOrder() {
    createTable("ordered", " (n serial, id bigint PRIMARY KEY, v text)");
    List<Row> rows = rows(Collections.nCopies(300, "v"));
    Collections.reverse(rows);
    writeAll(rows, inserts("ordered"));
    assertThat(usedArrays()).isTrue();
    assertThat(query("SELECT id::text FROM ordered ORDER BY n"))
        .containsExactlyElementsOf(rows.stream().map(row -> "" + row.id()).toList());
  }

  /** A class whose values are not sent in one array, the type of a column, values and texts. */
  static Stream<Arguments> elements() {
    return Stream.of(
        arguments(byte[].class, "bytea", new byte[] {1, -1}, new byte[0], "\\x01ff", "\\x"),
        arguments(
            ByteBuffer.class,
            "bytea",
            ByteBuffer.wrap(new byte[] {1}),
            ByteBuffer.allocate(0),
            "\\x01",
            "\\x"),
        arguments(Json.class, "jsonb", Json.of("{\"a\": 1}"), Json.of("[]"), "{\"a\": 1}", "[]"),
        arguments(Json.class, "json", Json.of("{}"), Json.of("1"), "{}", "1"),
        arguments(State.class, "state", State.OPEN, State.SHUT, "OPEN", "SHUT"),
        arguments(Point.class, "point", Point.of(1, 2), Point.of(3, 4), "(1,2)", "(3,4)"),
        arguments(
            Interval.class,
            "interval",
            Interval.of(Duration.ofHours(1)),
            Interval.of(Duration.ZERO),
            "01:00:00",
            "00:00:00"));
  }

  @ParameterizedTest
  @MethodSource("elements")
  <V> void aColumnWithoutAnArrayIsSentElementByElement(
      Class<V> type, String column, V one, V other, String textOfOne, String textOfOther) {
    createTable("each", " (id bigint PRIMARY KEY, v " + column + ", n text)");
    useStates();
    R2dbcInserts<Row> inserts =
        inserts(
            "each",
            (row, columns) ->
                columns.set("id", row.id()).set("v", type.cast(row.value()), type).set("n", "v"));
    List<Object> values = Arrays.asList(one, null, other, null);
    List<String> stored = List.of(textOfOne, "null", textOfOther, "null");
    writeAll(rows(values), inserts);
    assertThat(stored("each")).isEqualTo(stored);
    writeAll(rows(10, values), inserts.arrays(false));
    assertThat(stored("each", 10)).as("without arrays").isEqualTo(stored);
    writeAll(rows(20, Arrays.asList(null, null)), inserts.arrays(true));
    assertThat(stored("each", 20)).containsExactly("null", "null");
    assertThat(query("SELECT DISTINCT n FROM each")).containsExactly("v");
    String insert = "INSERT INTO \"each\" (\"id\", \"v\", \"n\") ";
    assertThat(watched.statements())
        .filteredOn(sql -> sql.startsWith(insert))
        .containsExactly(
            insert + "SELECT * FROM unnest($1::bigint[], ARRAY[$2, $3, $4, $5], $6::varchar[])",
            insert + "VALUES ($1, $2, $3), ($4, $5, $6), ($7, $8, $9), ($10, $11, $12)",
            insert + "SELECT * FROM unnest($1::bigint[], ARRAY[$2, $3], $4::varchar[])");
  }

  enum State {
    OPEN,
    SHUT
  }

  /** Connections that know the type of the states. */
  private void useStates() {
    pool.disposeLater().block(LIMIT);
    watched =
        new WatchedConnections(
            new PostgresqlConnectionFactory(
                PostgresqlConnectionConfiguration.builder()
                    .host("localhost")
                    .port(PostgresServer.shared().port())
                    .username("postgres")
                    .database(database.name())
                    .codecRegistrar(EnumCodec.builder().withEnum("state", State.class).build())
                    .build()));
    pool = Pools.of(1, watched);
  }

  @ParameterizedTest
  @ValueSource(strings = {"interval[]", "text"})
  void sendsValuesThatAreArraysAsParameters(String type) {
    createTable("nested", " (id bigint PRIMARY KEY, v " + type + ")");
    Interval hour = Interval.of(Duration.ofHours(1));
    List<Object> values = List.of(new Interval[] {hour}, new Interval[] {hour, hour});
    writeAll(rows(values), inserts("nested"));
    assertThat(stored("nested")).containsExactly("{01:00:00}", "{01:00:00,01:00:00}");
    assertThat(watched.statements()).noneMatch(sql -> sql.contains("ARRAY["));
  }

  @Test
  void aStatementOfElementsHasAtMostAThousandRows() {
    createTable("large", " (id bigint PRIMARY KEY, v bytea)");
    List<Object> values = Collections.nCopies(1_002, new byte[] {1});
    writeAll(rows(values), inserts("large").groupSize(2_000));
    assertThat(watched.statements().stream().map(sql -> sql.split(", \\$").length))
        .containsExactly(1_000, 2);
    assertThat(stored("large")).hasSize(1_002);
  }

  @Test
  void aStatementOfParametersHasAtMostFourThousand() {
    String columns =
        IntStream.range(0, 7).mapToObj(i -> "c" + i + " bigint").collect(Collectors.joining(", "));
    createTable("wide", " (id bigint PRIMARY KEY, " + columns + ")");
    writeAll(
        rows(Collections.nCopies(600, 1L)),
        inserts(
                "wide",
                (row, set) -> {
                  set.set("id", row.id());
                  IntStream.range(0, 7).forEach(i -> set.set("c" + i, row.id()));
                })
            .arrays(false)
            .groupSize(600));
    assertThat(watched.statements().stream().map(sql -> sql.split("\\$").length - 1))
        .containsExactly(8 * 500, 8 * 64, 8 * 32, 8 * 4);
    assertThat(query("SELECT count(*)::text FROM wide WHERE c6 = id")).containsExactly("600");
  }

  private static final class OneParameter implements R2dbcDialect {

    @Override
    public String name() {
      return "PostgreSQL";
    }

    @Override
    public int maxParameters() {
      return 1;
    }
  }

  @Test
  void rejectsRowsWithMoreColumnsThanParameters() {
    createTable("narrow", " (id bigint PRIMARY KEY, v text)");
    List<InsertOutcome<Row>> outcomes =
        outcomes(
            rows(List.of("a", "b")),
            inserts("narrow", (row, set) -> set.set("id", row.id()).set("v", "x"))
                .dialect(new OneParameter()));
    assertThat(outcomes)
        .allSatisfy(
            outcome ->
                assertThat(outcome)
                    .isInstanceOfSatisfying(
                        Rejected.class,
                        rejected ->
                            assertThat(rejected.reason())
                                .hasMessageContaining(
                                    "at most 1 columns in this database, and this one sets 2")));
    assertThat(watched.statements()).isEmpty();
  }

  record Event(long id, long number) {

    Event withNumber(long given) {
      return new Event(id, given);
    }
  }

  @Test
  void rowsWithNumbersAndElementsTakeOneStatement() {
    createTable("events", " (id bigint PRIMARY KEY, v jsonb, n bigint)");
    R2dbcSequenceStore store = R2dbcSequenceStore.create(database.connections());
    store.createTable().then(store.create("events", 1)).block(LIMIT);
    Flux.range(1, 12)
        .map(i -> new Event(100 + i, 0))
        .transform(
            R2dbcInserts.<Event>into(
                    pool,
                    "events",
                    (event, columns) ->
                        columns
                            .set("id", event.id())
                            .set("v", Json.of("{\"id\": " + event.id() + "}"))
                            .set("n", event.number()))
                .key("id")
                .numbered(store.transactional("events"), Event::withNumber)
                .groupSize(4)
                .concurrency(1)
                .rows())
        .blockLast(LIMIT);
    assertThat(query("SELECT concat_ws(' ', id, v->>'id', n) FROM events ORDER BY n"))
        .containsExactlyElementsOf(
            IntStream.rangeClosed(1, 12)
                .mapToObj(i -> (100 + i) + " " + (100 + i) + " " + i)
                .toList());
    assertThat(watched.statements())
        .filteredOn(sql -> sql.startsWith("WITH moved"))
        .isNotEmpty()
        .allMatch(sql -> sql.contains("ARRAY[$5, $6, $7, $8]"));
    store.close().block(LIMIT);
  }

  @Test
  void sendsValuesOfSeveralTypesAsParameters() {
    createTable("plain", " (id bigint PRIMARY KEY, v text)");
    writeAll(
        rows(Arrays.asList(Json.of("{}"), null)),
        inserts(
            "plain",
            (row, columns) -> {
              Object value = row.value();
              columns.set("id", row.id());
              if (value == null) {
                columns.set("v", null, String.class);
              } else {
                columns.set("v", value);
              }
            }));
    assertThat(stored("plain")).as("JSON and the null of a text").containsExactly("{}", "null");

    createTable("plain", " (id bigint PRIMARY KEY, v text[])");
    writeAll(rows(List.of(new String[] {"a", "b"}, new String[] {"{"})), inserts("plain"));
    assertThat(stored("plain")).containsExactly("{a,b}", "{\"{\"}");

    createTable("plain", " (id bigint PRIMARY KEY, v mood)");
    writeAll(
        rows(
            List.of(
                Parameters.in(PostgresqlObjectId.UNSPECIFIED, "happy"),
                Parameters.in(PostgresqlObjectId.UNSPECIFIED, "sad"))),
        inserts("plain"));
    assertThat(stored("plain")).containsExactly("happy", "sad");

    createTable("plain", " (id bigint PRIMARY KEY, v numeric)");
    writeAll(rows(List.of(1, 2L, new BigDecimal("0.5"))), inserts("plain"));
    assertThat(stored("plain")).as("several classes").containsExactly("1", "2", "0.5");

    createTable("plain", " (id bigint PRIMARY KEY, v text)");
    writeAll(
        rows(Arrays.asList(null, 1L)),
        inserts(
            "plain",
            (row, columns) -> {
              Class<?> type = row.id() == 0 ? String.class : Long.class;
              columns.set("id", row.id()).set("v", null, type);
            }));
    assertThat(stored("plain")).as("nulls of several classes").containsExactly("null", "null");
    assertThat(watched.log()).as("none was tried as an array").doesNotContain("rollback");
    assertThat(usedArrays()).isFalse();
  }

  @Test
  void sendsArraysDespiteANullOfAnotherClass() {
    createTable("mixed", " (id bigint PRIMARY KEY, v text)");
    writeAll(
        rows(Arrays.asList("a", null, "b")),
        inserts(
            "mixed",
            (row, columns) -> columns.set("id", row.id()).set("v", row.value(), Object.class)));
    assertThat(usedArrays()).isTrue();
    assertThat(stored("mixed")).containsExactly("a", "null", "b");
  }

  @Test
  void columnsThatTheServerFillsAreFilled() {
    createTable(
        "filled",
        " (id bigint GENERATED BY DEFAULT AS IDENTITY, v text, n bigint GENERATED ALWAYS AS"
            + " IDENTITY, twice text GENERATED ALWAYS AS (v || v) STORED, d text DEFAULT 'none')");
    writeAll(rows(List.of("a", "b")), inserts("filled"));
    assertThat(usedArrays()).isTrue();
    assertThat(query("SELECT concat_ws(' ', id, v, n, twice, d) FROM filled ORDER BY n"))
        .containsExactly("0 a 1 aa none", "1 b 2 bb none");
    assertThat(
            outcomes(
                rows(List.of("a", "b")),
                inserts("filled", (row, columns) -> columns.set("n", row.id()))))
        .as("n is the server's alone")
        .hasOnlyElementsOfType(Rejected.class);
  }

  @Test
  void findsTheRefusedRowAndKeepsUsingArrays() {
    createTable("limited", " (id bigint PRIMARY KEY, v varchar(3))");
    List<Row> rows = rows(List.of("a", "b", "long", "c", "d", "e"));
    List<InsertOutcome<Row>> outcomes = outcomes(rows, inserts("limited"));
    assertThat(outcomes)
        .filteredOn(Rejected.class::isInstance)
        .extracting(outcome -> outcome.row().id())
        .containsExactly(2L);
    assertThat(stored("limited")).containsExactly("a", "b", "c", "d", "e");
    assertThat(watched.statements().stream().filter(sql -> sql.contains("VALUES")))
        .as("only rows that are alone")
        .allMatch(sql -> !sql.contains("$3"));
  }

  @Test
  void anElementWhoseTypeIsNotKnownIsNotSentInAnArray() {
    createTable("unknown", " (id bigint PRIMARY KEY, v bytea)");
    R2dbcInserts<Row> inserts =
        inserts(
            "unknown",
            (row, columns) -> columns.set("id", row.id()).set("v", row.value(), Object.class));
    writeAll(rows(Arrays.asList(new byte[] {1}, new byte[] {2}, null)), inserts);
    assertThat(watched.log()).doesNotContain("rollback");
    assertThat(usedArrays()).isFalse();
    assertThat(stored("unknown")).containsExactly("\\x01", "\\x02", "null");
  }

  @Test
  void aPipelineKeepsItsOptions() {
    createTable("kept", " (id bigint PRIMARY KEY, v text)");
    R2dbcInserts<Row> inserts = inserts("kept");
    Function<Flux<Row>, Flux<Row>> pipeline = inserts.rows();
    inserts.arrays(false);
    Flux.fromIterable(rows(List.of("a", "b"))).transform(pipeline).blockLast(LIMIT);
    assertThat(usedArrays()).isTrue();
  }

  @Test
  void withoutArraysEachValueIsBoundAlone() {
    createTable("alone", " (id bigint PRIMARY KEY, v text)");
    writeAll(rows(Collections.nCopies(30, "v")), inserts("alone").arrays(false));
    assertThat(usedArrays()).isFalse();
    assertThat(stored("alone")).hasSize(30);
  }
}
