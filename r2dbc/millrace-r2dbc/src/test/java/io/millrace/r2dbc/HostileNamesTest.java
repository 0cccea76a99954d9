package io.millrace.r2dbc;

import static io.millrace.databases.DatabaseKind.H2;
import static io.millrace.databases.DatabaseKind.MARIADB;
import static io.millrace.databases.DatabaseKind.MYSQL;
import static io.millrace.databases.DatabaseKind.POSTGRESQL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.millrace.SequenceBlock;
import io.millrace.databases.OnDatabases;
import io.millrace.databases.Pools;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.insert.InsertOutcome;
import io.millrace.internal.LogSafe;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Names that look like SQL, like each other, or like nothing: each is refused, or is the name of
 * exactly one table, column or sequence, in every place where a name enters SQL.
 */
@OnDatabases(
    value = {H2, POSTGRESQL, MARIADB},
    also = MYSQL)
class HostileNamesTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Asks MySQL and MariaDB for what their session remembers; has no name in it. */
  private static final String REMEMBERED = "SELECT CAST(LAST_INSERT_ID() AS SIGNED)";

  private static final List<String> NAMES =
      List.of(
          "_audit",
          "order-lines",
          "Straße",
          "Order",
          "order",
          "ordеr", // a Cyrillic letter
          "a b",
          " a",
          "a\"b",
          "\"",
          "\"\"",
          "a`b",
          "`",
          "a'b",
          "a\\b",
          "a\\",
          "victims\"; DROP TABLE \"victims\"; --",
          "victims`; DROP TABLE `victims`; --",
          "x\" (\"id\" BIGINT); DROP TABLE victims; --",
          "a--b",
          "a/*b*/c",
          "a;b",
          "a(b",
          "a$1",
          "$1",
          "$p1",
          "?",
          "@p1",
          ":x",
          "{name}",
          "{value}",
          "{update}",
          "{column}",
          "%s",
          "表",
          "😀",
          "e\u0301",
          "\u00e9",
          "a\u200bb",
          "\u202eab",
          "n".repeat(63),
          "n".repeat(64),
          "ß".repeat(32),
          "n".repeat(128),
          "n".repeat(129),
          "n".repeat(256),
          "n".repeat(257),
          "n".repeat(1_000_000),
          "",
          " ",
          "a\u0000b",
          "a\nb",
          "a\tb",
          "a\uD800");

  private static final List<String> DOTTED =
      List.of(".", "a.", ".a", "a..b", "a.b.c.d", "nowhere.a", "x.nowhere.a");

  @Parameter R2dbcDatabase database;
  private ConnectionPool connections;
  private R2dbcDialect dialect;
  private R2dbcSequenceStore plain;
  private int tables;

  /** Unusual names that the database accepts, so they must not be refused. */
  private List<String> accepted() {
    return switch (database.kind()) {
      case H2 -> List.of("_audit", "order-lines", "Straße", "a\"b", "n".repeat(256));
      case POSTGRESQL -> List.of("_audit", "order-lines", "Straße", "a\"b", "n".repeat(63));
      default -> List.of("_audit", "order-lines", "Straße", "a\"b", "a`b", "n".repeat(64));
    };
  }

  @AfterParameterizedClassInvocation
  void disconnect() {
    connections.disposeLater().block(LIMIT);
  }

  @BeforeParameterizedClassInvocation
  void connect() {
    connections = Pools.of(2, database.connections());
    dialect = R2dbcDialect.of(database.connections()).blockOptional(LIMIT).orElseThrow();
    plain = R2dbcSequenceStore.builder(connections).table("victims").build();
    plain.createTable().then(plain.create("v", 7)).block(LIMIT);
  }

  private void theVictimLives() {
    assertThat(plain.state("v").blockOptional(LIMIT).orElseThrow().nextValue()).isEqualTo(7);
  }

  /** Refused by us, with a short message, before anything is sent; not by the database. */
  private static void isOurRefusal(Throwable refusal) {
    assertThat(refusal).isInstanceOf(IllegalArgumentException.class);
    assertThat(refusal.getMessage()).hasSizeLessThan(400).doesNotContain("\u0000", "\n", "\u202e");
  }

  private boolean quotes(String name) {
    Throwable refusal = catchThrowable(() -> dialect.quoteColumn(name));
    if (refusal == null) {
      return true;
    }
    isOurRefusal(refusal);
    return false;
  }

  @Test
  void eachNameIsRefusedOrIsATableOfCountersAndItsColumn() {
    List<String> worked = new ArrayList<>();
    for (String name : NAMES) {
      Throwable refusal = catchThrowable(() -> worksAsTableAndColumn(name));
      if (refusal == null) {
        worked.add(name);
      } else {
        isOurRefusal(refusal);
      }
      assertThat(refusal == null).as(LogSafe.quote(name)).isEqualTo(quotes(name));
    }
    for (String name : DOTTED) {
      Throwable refusal = catchThrowable(() -> worksAsTableAndColumn(name));
      assertThat(refusal).as(name).isInstanceOf(RuntimeException.class);
    }
    assertThat(worked).containsAll(accepted());
    theVictimLives();
  }

  private void worksAsTableAndColumn(String name) {
    WatchedConnections watched = new WatchedConnections(connections);
    R2dbcSequenceStore store =
        R2dbcSequenceStore.builder(watched)
            .dialect(dialect)
            .table(name)
            .nameColumn("the_name")
            .valueColumn(name)
            .build();
    store.createTable().then(store.create("s", 5)).block(LIMIT);
    assertThat(store.reserve("s", 2).block(LIMIT)).isEqualTo(SequenceBlock.of(5, 2));
    assertThat(store.release("s", SequenceBlock.of(6, 1)).block(LIMIT)).isTrue();
    assertThat(store.advanceTo("s", 9).block(LIMIT)).isNotNull();
    assertThat(tables()).contains(name);
    assertThat(watched.statements())
        .filteredOn(sql -> !sql.equals(REMEMBERED))
        .isNotEmpty()
        .allMatch(sql -> sql.contains(dialect.quote(name)));
  }

  private List<String> tables() {
    return database.query(
        "SELECT table_name FROM information_schema.tables", row -> "" + row.get(0, String.class));
  }

  @Test
  void eachNameIsRefusedOrIsAColumnOfAnInsert() {
    List<String> names = NAMES.stream().filter(this::quotes).toList();
    assertThat(names).containsAll(accepted());
    int table = 0;
    for (String name : names) {
      String target = "inserts_" + table++;
      createTable(target, name);
      List<InsertOutcome<Integer>> outcomes =
          Flux.just(1, 2)
              .transform(
                  R2dbcInserts.<Integer>into(
                          connections,
                          target,
                          (row, columns) -> columns.set("id", row.longValue()).set(name, 10L * row))
                      .dialect(dialect)
                      .key("id", name)
                      .outcomes())
              .collectList()
              .blockOptional(LIMIT)
              .orElseThrow();
      assertThat(outcomes)
          .as(LogSafe.quote(name))
          .hasSize(2)
          .allMatch(InsertOutcome.Committed.class::isInstance);
      assertThat(sum(target, name)).as(LogSafe.quote(name)).isEqualTo(30);
    }
    theVictimLives();
  }

  @Test
  void eachRefusedNameRejectsItsRowsWithoutQuotingThem() {
    for (String name : NAMES) {
      if (quotes(name)) {
        continue;
      }
      Throwable refusal =
          catchThrowable(
              () ->
                  Flux.just("secret")
                      .transform(
                          R2dbcInserts.<String>into(
                                  connections, name, (row, columns) -> columns.set("id", row))
                              .dialect(dialect)
                              .rows())
                      .blockLast(LIMIT));
      Throwable column =
          catchThrowable(
              () ->
                  Flux.just("secret")
                      .transform(
                          R2dbcInserts.<String>into(
                                  connections, "victims", (row, columns) -> columns.set(name, row))
                              .dialect(dialect)
                              .rows())
                      .blockLast(LIMIT));
      for (Throwable each : List.of(refusal, column)) {
        for (Throwable at = each; at != null; at = at.getCause()) {
          assertThat(String.valueOf(at.getMessage()))
              .as(LogSafe.quote(name))
              .hasSizeLessThan(600)
              .doesNotContain("secret");
        }
      }
    }
    theVictimLives();
  }

  @Test
  void eachNameIsRefusedOrIsASequence() {
    for (int i = 0; i < NAMES.size(); i++) {
      String name = NAMES.get(i);
      int start = 100 * i + 1;
      Throwable refusal = catchThrowable(() -> plain.create(name, start).block(LIMIT));
      if (refusal != null) {
        isOurRefusal(refusal);
        assertThat(catchThrowable(() -> plain.reserve(name, 1).block(LIMIT)))
            .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> plain.transactional(name))
            .isInstanceOf(IllegalArgumentException.class);
        continue;
      }
      assertThat(plain.reserve(name, 1).block(LIMIT))
          .as("it is a sequence of its own")
          .isEqualTo(SequenceBlock.of(start, 1));
    }
    for (String name : NAMES) {
      Throwable absent = catchThrowable(() -> plain.state("absent" + name).block(LIMIT));
      assertThat(absent.getMessage()).hasSizeLessThan(1_000);
    }
    theVictimLives();
  }

  private void createTable(String table, String column) {
    String type = " BIGINT NOT NULL";
    String columns = dialect.quoteColumn("id") + type + ", " + dialect.quoteColumn(column) + type;
    String key = "PRIMARY KEY (" + dialect.quoteColumn("id") + ")";
    database.execute("CREATE TABLE " + dialect.quote(table) + " (" + columns + ", " + key + ")");
  }

  /** The type in a cast. */
  private String integer() {
    return database.kind().isMySql() ? "SIGNED" : "BIGINT";
  }

  private long sum(String table, String column) {
    return Mono.usingWhen(
            Mono.defer(() -> Mono.from(connections.create())),
            connection ->
                Flux.from(
                        connection
                            .createStatement(
                                "SELECT CAST(SUM("
                                    + dialect.quoteColumn(column)
                                    + ") AS "
                                    + integer()
                                    + ") FROM "
                                    + dialect.quote(table))
                            .execute())
                    .concatMap(result -> result.map(row -> row.get(0, Long.class)))
                    .next(),
            Connection::close)
        .blockOptional(LIMIT)
        .orElseThrow();
  }
}
