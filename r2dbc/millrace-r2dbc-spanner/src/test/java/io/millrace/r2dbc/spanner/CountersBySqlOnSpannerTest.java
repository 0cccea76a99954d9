package io.millrace.r2dbc.spanner;

import static io.millrace.databases.DatabaseKind.SPANNER;
import static io.millrace.databases.DatabaseKind.SPANNER_POSTGRESQL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.SequenceNotFoundException;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.OnDatabases;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.r2dbc.R2dbcSequenceStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** The statements of docs/operating.md on Spanner. */
@OnDatabases({SPANNER, SPANNER_POSTGRESQL})
class CountersBySqlOnSpannerTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Pattern STATEMENT = Pattern.compile("(?s)-- [^\n]*\n(.*?);\n");

  private static List<String> statements() throws IOException {
    String page = Files.readString(Path.of("../../docs/operating.md"));
    String block = page.substring(page.indexOf("## Counters by SQL")).split("```", 3)[1];
    return STATEMENT.matcher(block).results().map(each -> each.group(1)).toList();
  }

  @Parameter R2dbcDatabase database;

  @Test
  void statementsListCreateAdvanceAndDropCounters() throws IOException {
    List<String> statements = statements();
    String list = statements.get(0);
    String create = statements.get(1);
    String move = statements.get(2);
    String drop = statements.get(3);
    String pastIds = statements.get(4);
    String beyond = statements.get(5);
    assertThat(statements).hasSize(6);
    R2dbcSequenceStore store = R2dbcSequenceStore.create(database.connections());
    store.createTable().block(LIMIT);
    database.execute(
        database.kind() == DatabaseKind.SPANNER
            ? "CREATE TABLE orders (id INT64) PRIMARY KEY (id)"
            : "CREATE TABLE orders (id BIGINT PRIMARY KEY)");

    database.execute(create, pastIds);
    assertThat(nextValue(store)).as("without a row").isEqualTo(1);

    database.execute("INSERT INTO orders (id) VALUES (3), (99), (7)");
    assertThat(database.query(beyond, row -> row.get(0, Long.class))).containsExactly(3L, 7L, 99L);
    database.execute(pastIds, pastIds);
    assertThat(nextValue(store)).isEqualTo(100);
    assertThat(database.query(beyond, row -> row.get(0, Long.class))).isEmpty();

    database.execute(move, pastIds);
    assertThat(nextValue(store)).isEqualTo(5_000);
    assertThat(database.query(list, row -> row.get(0, String.class))).containsExactly("order_id");

    database.execute("INSERT INTO orders (id) VALUES (9223372036854775807)");
    assertThatThrownBy(() -> database.execute(pastIds)).as("the largest id").isNotNull();
    assertThat(nextValue(store)).isEqualTo(5_000);

    database.execute(drop);
    assertThat(database.query(list, row -> row.get(0, String.class))).isEmpty();
    assertThatThrownBy(() -> nextValue(store)).isInstanceOf(SequenceNotFoundException.class);
  }

  private static long nextValue(R2dbcSequenceStore store) {
    return Objects.requireNonNull(store.state("order_id").block(LIMIT)).nextValue();
  }
}
