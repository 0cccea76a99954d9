package io.millrace.spanner.ddl;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.spanner.Dialect;
import io.millrace.test.emulator.SpannerTest;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

@SpannerTest(dialect = Dialect.POSTGRESQL)
class PostgreSqlDdlShardTest extends DdlShardBehaviour {

  @Test
  void whatToDdlRefusesTheServerRefusesToo() {
    TableDdlBuilder table = TableDdl.named("Two").column("Id", ColumnType.int64());
    String[] columns = IntStream.range(0, 126).mapToObj(i -> "C" + i).toArray(String[]::new);
    Stream.of(columns).forEach(column -> table.column(column, ColumnType.int64()));
    TableDdl one = table.shardColumn("One", 8, columns).primaryKey("Id").build();
    TableDdl two = table.signedShardColumn("Two", 8, columns).build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> two.toDdl(Dialect.POSTGRESQL))
        .withMessage(
            "the shards of table 'Two' need 1008 casts, and Spanner takes at most 1000 in a"
                + " statement of PostgreSQL: derive them from fewer columns");

    String ddl = one.toDdl(Dialect.POSTGRESQL);
    String shard = ddl.substring(ddl.indexOf("\"One\" "), ddl.indexOf(", PRIMARY KEY"));
    String both = ddl.replace(shard, shard + ", " + shard.replace("One", "Other"));
    assertThatThrownBy(() -> database().update(both))
        .hasStackTraceContaining("Too many type casts in the statement");
    database().update(ddl);
  }
}
