package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceBlock;
import io.millrace.SequenceState;
import io.millrace.insert.RowWriter;
import io.r2dbc.h2.H2ConnectionConfiguration;
import io.r2dbc.h2.H2ConnectionFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

/** H2 in its compatibility modes, each of which knows another part of its SQL. */
class H2ModesTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  record Line(String name, String note, long number) {

    Line withNumber(long taken) {
      return new Line(name, note, taken);
    }

    void writeTo(InsertRow row) {
      row.set("name", name).set("number", number).set("note", note);
    }
  }

  private @Nullable H2ConnectionFactory connections;

  private H2ConnectionFactory connect(String settings) {
    H2ConnectionFactory created =
        new H2ConnectionFactory(
            H2ConnectionConfiguration.builder()
                .url("mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;MODE=" + settings)
                .build());
    connections = created;
    return created;
  }

  private static void execute(H2ConnectionFactory connections, String sql) {
    Mono.usingWhen(
            connections.create(),
            connection -> Results.completion(connection.createStatement(sql)),
            connection -> connection.close())
        .block(LIMIT);
  }

  @AfterEach
  void shutDown() {
    if (connections != null) {
      execute(connections, "SHUTDOWN");
    }
  }

  static Stream<String> modes() {
    return Stream.of(
        "REGULAR",
        "STRICT",
        "LEGACY",
        "DB2",
        "Derby",
        "HSQLDB",
        "MSSQLServer",
        "MariaDB;DATABASE_TO_LOWER=TRUE",
        "MySQL;DATABASE_TO_LOWER=TRUE;CASE_INSENSITIVE_IDENTIFIERS=TRUE",
        "Oracle;DEFAULT_NULL_ORDERING=HIGH",
        "PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH");
  }

  private static R2dbcSequenceStore store(H2ConnectionFactory connections) {
    R2dbcSequenceStore store = R2dbcSequenceStore.create(connections);
    store.createTable().then(store.createTable()).block(LIMIT);
    return store;
  }

  @ParameterizedTest
  @MethodSource("modes")
  void countersAreCreatedAndMove(String mode) {
    R2dbcSequenceStore store = store(connect(mode));
    store.create("id", 1).then(store.create("id", 1)).block(LIMIT);
    assertThat(store.reserve("id", 10).block(LIMIT)).isEqualTo(SequenceBlock.of(1, 10));
    assertThat(store.release("id", SequenceBlock.of(4, 7)).block(LIMIT)).isTrue();
    assertThat(store.state("id").block(LIMIT)).isEqualTo(new SequenceState("id", 4));
    assertThat(store.advanceTo("id", 100).block(LIMIT)).isEqualTo(new SequenceState("id", 100));
  }

  @ParameterizedTest
  @MethodSource("modes")
  void sequencesOfTheDatabaseAreCreatedAndRead(String mode) {
    H2ConnectionFactory connections = connect(mode);
    R2dbcNativeSequenceStore store = R2dbcNativeSequenceStore.create(connections);
    store.create("id", 1).then(store.create("id", 1)).block(LIMIT);
    assertThat(store.reserve("id", 3).block(LIMIT)).isEqualTo(SequenceBlock.of(1, 3));
    assertThat(store.state("id").block(LIMIT)).isEqualTo(new SequenceState("id", 4));
    execute(connections, "CREATE SEQUENCE \"fifty\" INCREMENT BY 50");
    assertThat(store.reserve("fifty", 3).block(LIMIT)).isEqualTo(SequenceBlock.of(1, 3));
  }

  @ParameterizedTest
  @MethodSource("modes")
  void countersOfATransactionAreCreatedAndTaken(String mode) {
    H2ConnectionFactory connections = connect(mode);
    R2dbcSequenceStore store = store(connections);
    R2dbcTransactions transactions = R2dbcTransactions.over(connections);
    for (long i = 1; i <= 2; i++) {
      assertThat(
              transactions
                  .readWrite(
                      connection ->
                          store
                              .transactionals()
                              .createMissing(1)
                              .next(connection, Map.of("a", 1, "b", 1)))
                  .block(LIMIT))
          .isEqualTo(Map.of("a", List.of(i), "b", List.of(i)));
    }
  }

  @ParameterizedTest
  @MethodSource("modes")
  void rowsAreNumberedWrittenAndFound(String mode) {
    H2ConnectionFactory connections = connect(mode);
    execute(
        connections,
        "CREATE TABLE \"lines\" (\"name\" VARCHAR(40), \"number\" BIGINT, \"note\" VARCHAR(40),"
            + " PRIMARY KEY (\"name\", \"number\"))");
    RowWriter<Line> writer =
        R2dbcInserts.into(connections, "lines", Line::writeTo)
            .numbered(
                store(connections).transactionals().createMissing(1), Line::name, Line::withNumber)
            .writer();
    List<Line> written =
        writer
            .writeAll(List.of(new Line("c", "x", 0), new Line("a", "y", 0), new Line("c", "z", 0)))
            .blockOptional(LIMIT)
            .orElseThrow();
    assertThat(written).extracting(Line::number).containsExactly(1L, 1L, 2L);
    List<PreparedInsert<Line>> sent =
        written.stream().map(new InsertRow.Mapper<>(Line::writeTo)::map).toList();
    WrittenRows rows = new WrittenRows(R2dbcDialect.H2, "\"lines\"", List.of("name", "number"));
    assertThat(
            Connections.of(connections)
                .use(R2dbcDialect.H2, connection -> rows.read(connection, sent))
                .block(LIMIT))
        .hasSize(3)
        .doesNotContainValue(false);
    writer.disposeLater().block(LIMIT);
  }

  @Test
  void namesThatDifferInCaseShareACounterIfCaseIsIgnored() {
    R2dbcSequenceStore store = store(connect("REGULAR;IGNORECASE=TRUE"));
    store.create("x", 1).block(LIMIT);
    assertThat(store.reserve("X", 2).block(LIMIT)).isEqualTo(SequenceBlock.of(1, 2));
    assertThat(store.reserve("x", 2).block(LIMIT)).isEqualTo(SequenceBlock.of(3, 2));
  }
}
