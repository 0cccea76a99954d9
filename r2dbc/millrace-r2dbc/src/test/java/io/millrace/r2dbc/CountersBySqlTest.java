package io.millrace.r2dbc;

import static io.millrace.databases.DatabaseKind.H2;
import static io.millrace.databases.DatabaseKind.MARIADB;
import static io.millrace.databases.DatabaseKind.MYSQL;
import static io.millrace.databases.DatabaseKind.POSTGRESQL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.OnDatabases;
import io.millrace.databases.R2dbcDatabase;
import io.r2dbc.spi.Readable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** The statements of docs/operating.md, on each database. */
@OnDatabases({H2, POSTGRESQL, MYSQL, MARIADB})
class CountersBySqlTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static final Pattern BLOCK =
      Pattern.compile("(?s)## Counters by SQL\n.*?```sql\n(.*?)```");
  private static final Pattern STATEMENT = Pattern.compile("(?s)-- [^\n]*\n(.*?);\n");

  /** The names that H2 has in this case only between quotes. */
  private static final Pattern NAMES =
      Pattern.compile("\\b(sequences|name|next_value|orders|id)\\b");

  @Parameter R2dbcDatabase database;

  @Test
  void theyListCreateAdvanceAndDropCounters() throws IOException {
    List<String> statements = statements(database.kind());
    String list = statements.get(0);
    String create = statements.get(1);
    String move = statements.get(2);
    String drop = statements.get(3);
    String pastIds = statements.get(4);
    String beyond = statements.get(5);
    assertThat(statements).hasSize(6);
    R2dbcSequenceStore store = R2dbcSequenceStore.create(database.connections());
    store.createTable().block(LIMIT);
    database.execute(spelled(database.kind(), "CREATE TABLE orders (id BIGINT PRIMARY KEY)"));

    database.execute(create, pastIds);
    assertThat(nextValue(store)).as("without a row").isEqualTo(1);

    database.execute(spelled(database.kind(), "INSERT INTO orders (id) VALUES (3), (99), (7)"));
    assertThat(database.query(beyond, CountersBySqlTest::number)).containsExactly(3L, 7L, 99L);
    database.execute(pastIds, pastIds);
    assertThat(nextValue(store)).isEqualTo(100);
    assertThat(database.query(beyond, CountersBySqlTest::number)).isEmpty();

    database.execute(move, pastIds);
    assertThat(database.query(list, CountersBySqlTest::state))
        .containsExactly(new SequenceState("order_id", 5_000));
    assertThat(store.reserve("order_id", 1).block(LIMIT)).isNotNull();

    database.execute(drop);
    assertThat(database.query(list, CountersBySqlTest::state)).isEmpty();
    assertThatThrownBy(() -> nextValue(store)).isInstanceOf(SequenceNotFoundException.class);
    store.close().block(LIMIT);
  }

  @Test
  void idsThatNoCounterPassesAreAnError() throws IOException {
    boolean convertsText = database.kind() == DatabaseKind.H2 || database.kind().isMySql();
    List<Ids> all = idsOfEachType(database.kind());
    R2dbcSequenceStore store = R2dbcSequenceStore.create(database.connections());
    store.createTable().then(store.create("order_id", 1)).block(LIMIT);
    String columns = joined(all, ids -> ids.column() + " " + ids.type());
    database.execute(
        "CREATE TABLE typed (k BIGINT PRIMARY KEY, " + columns + ")",
        ("INSERT INTO typed (k, " + joined(all, Ids::column))
            + (") VALUES (1, " + joined(all, Ids::largest) + ")"),
        "INSERT INTO typed (k, digits) VALUES (2, '100')");

    for (Ids ids : all) {
      String pastIds = ids.in(statements(database.kind()).get(4));
      if (convertsText && ids.column().equals("digits")) {
        database.execute(pastIds);
        String beyond = ids.in(statements(database.kind()).get(5));
        assertThat(database.query(beyond, row -> row.get(0, String.class)))
            .as("ids that a comparison of texts has missed")
            .containsExactly("100");
      } else {
        assertThatThrownBy(() -> database.execute(pastIds)).as(ids.type()).isNotNull();
        assertThat(nextValue(store)).as(ids.type()).isEqualTo(1);
      }
    }
    database.execute(statements(database.kind()).get(3));
    store.close().block(LIMIT);
  }

  /** A column of the table {@code typed}, and its largest value. */
  private record Ids(String column, String type, String largest) {

    String in(String sql) {
      return sql.replaceAll("\"?\\borders\\b\"?", "typed").replaceAll("\"?\\bid\\b\"?", column);
    }
  }

  private static List<Ids> idsOfEachType(DatabaseKind kind) {
    String numeric = "NUMERIC(38, 2)";
    String huge = "1" + "0".repeat(28);
    List<Ids> ids = new ArrayList<>();
    ids.add(new Ids("largest", "BIGINT", "9223372036854775807"));
    ids.add(new Ids("past_largest", numeric, "'9223372036854775808'"));
    ids.add(new Ids("huge", numeric, "'" + huge + "'"));
    ids.add(new Ids("approximate", "DOUBLE PRECISION", "9007199254740992"));
    if (kind.isMySql()) {
      ids.add(new Ids("past_signed", "BIGINT UNSIGNED", "9223372036854775808"));
      ids.add(new Ids("past_most", "BIGINT UNSIGNED", "18446744073709551610"));
    }
    ids.add(new Ids("digits", "VARCHAR(40)", "'9'"));
    return ids;
  }

  private static String joined(List<Ids> all, Function<Ids, String> part) {
    return all.stream().map(part).collect(Collectors.joining(", "));
  }

  private static long nextValue(R2dbcSequenceStore store) {
    return Objects.requireNonNull(store.state("order_id").block(LIMIT)).nextValue();
  }

  private static List<String> statements(DatabaseKind kind) throws IOException {
    MatchResult block =
        BLOCK
            .matcher(Files.readString(Path.of("../../docs/operating.md")))
            .results()
            .toList()
            .get(0);
    return STATEMENT
        .matcher(block.group(1))
        .results()
        .map(statement -> spelled(kind, statement.group(1)))
        .toList();
  }

  static String spelled(DatabaseKind kind, String sql) {
    return kind == DatabaseKind.H2 ? NAMES.matcher(sql).replaceAll("\"$1\"") : sql;
  }

  private static SequenceState state(Readable row) {
    return new SequenceState(
        Objects.requireNonNull(row.get(0, String.class)),
        Objects.requireNonNull(row.get(1, Long.class)));
  }

  private static long number(Readable row) {
    return Objects.requireNonNull(row.get(0, Long.class));
  }
}
