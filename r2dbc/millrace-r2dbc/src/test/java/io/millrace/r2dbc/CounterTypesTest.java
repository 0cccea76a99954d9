package io.millrace.r2dbc;

import static io.millrace.databases.DatabaseKind.H2;
import static io.millrace.databases.DatabaseKind.MARIADB;
import static io.millrace.databases.DatabaseKind.MYSQL;
import static io.millrace.databases.DatabaseKind.POSTGRESQL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.SequenceBlock;
import io.millrace.SequenceState;
import io.millrace.SequenceStoreException;
import io.millrace.databases.OnDatabases;
import io.millrace.databases.R2dbcDatabase;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import reactor.core.publisher.Mono;

/**
 * Counters in a table of the user, whose column has another type than that of the store's table.
 */
@OnDatabases({H2, POSTGRESQL, MYSQL, MARIADB})
class CounterTypesTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Parameter R2dbcDatabase database;

  /** The values that no counter can have, by the names of their columns. */
  private final Map<String, String> illegal = new LinkedHashMap<>();

  @BeforeParameterizedClassInvocation
  void createTable() {
    String numeric = "NUMERIC(38,2)";
    Map<String, String> types = new LinkedHashMap<>();
    types.put("counter", numeric);
    types.put("past_long", numeric);
    types.put("huge", numeric);
    types.put("fraction", numeric);
    types.put("approximate", "DOUBLE PRECISION");
    types.put("letters", "VARCHAR(40)");
    types.put("digits", "VARCHAR(40)");
    illegal.put("past_long", "'9223372036854775808'");
    illegal.put("huge", "'10000000000000000000000000000'");
    illegal.put("fraction", "'7.5'");
    illegal.put("approximate", "7");
    illegal.put("letters", "'abc'");
    illegal.put("digits", "'7'");
    if (database.kind().isMySql()) {
      types.put("unsigned_number", "BIGINT UNSIGNED");
      illegal.put("unsigned_number", "18446744073709551610");
    }
    StringBuilder ddl =
        new StringBuilder("CREATE TABLE \"foreign_counters\" (\"name\" VARCHAR(64) PRIMARY KEY");
    types.forEach((column, type) -> ddl.append(", \"" + column + "\" " + type));
    database.execute(quoted(ddl + ")"));
    for (String name : List.of("one", "two")) {
      database.execute(
          quoted(
              "INSERT INTO \"foreign_counters\" (\"name\", \"counter\", \""
                  + String.join("\", \"", illegal.keySet())
                  + "\") VALUES ('"
                  + name
                  + "', 7, "
                  + String.join(", ", illegal.values())
                  + ")"));
    }
  }

  private String quoted(String sql) {
    return database.kind().quoted(sql);
  }

  private R2dbcSequenceStore store(String column) {
    return R2dbcSequenceStore.builder(database.connections())
        .table("foreign_counters")
        .valueColumn(column)
        .build();
  }

  private static void assertRefused(Mono<?> call, String column, String value) {
    assertThatExceptionOfType(SequenceStoreException.class)
        .as(column)
        .isThrownBy(() -> call.block(LIMIT))
        .withMessageStartingWith("the store of sequence 'one' cannot use the value '" + value)
        .withMessageContaining(" in column " + column + " of table foreign_counters: ");
  }

  @Test
  void aValueThatIsNotALongIsRefusedAndStays() {
    illegal.forEach(
        (column, sql) -> {
          R2dbcSequenceStore store = store(column);
          String value = sql.replaceAll("NUMERIC|[ ']", "");
          assertRefused(store.state("one"), column, value);
          assertRefused(store.advanceTo("one", 50), column, value);
          assertRefused(store.state("one"), column, value);
          store.close().block(LIMIT);
        });
    for (String column : List.of("past_long", "huge")) {
      R2dbcSequenceStore store = store(column);
      assertRefused(store.reserve("one", 5), column, "");
      assertRefused(
          R2dbcTransactions.over(database.connections())
              .readWrite(connection -> store.transactional("one").next(connection)),
          column,
          "");
      store.close().block(LIMIT);
    }
  }

  @Test
  void aWholeNumberServesWhateverItsTypeIs() {
    R2dbcSequenceStore store = store("counter");
    assertThat(store.state("one").block(LIMIT)).isEqualTo(new SequenceState("one", 7));
    assertThat(store.advanceTo("one", 50).block(LIMIT)).isEqualTo(new SequenceState("one", 50));
    assertThat(store.reserve("one", 5).block(LIMIT)).isEqualTo(SequenceBlock.of(50, 5));
    assertThat(
            R2dbcTransactions.over(database.connections())
                .readWrite(
                    connection ->
                        store.transactionals().next(connection, Map.of("one", 1, "two", 2)))
                .block(LIMIT))
        .isEqualTo(Map.of("one", List.of(55L), "two", List.of(7L, 8L)));
    store.close().block(LIMIT);
  }
}
