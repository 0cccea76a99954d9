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
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
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
  void statementsListCreateAdvanceAndDropCounters() throws IOException {
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
