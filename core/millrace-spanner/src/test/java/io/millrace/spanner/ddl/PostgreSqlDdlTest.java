package io.millrace.spanner.ddl;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.spanner.Dialect;
import io.millrace.test.emulator.SpannerTest;
import org.junit.jupiter.api.Test;

@SpannerTest(dialect = Dialect.POSTGRESQL)
class PostgreSqlDdlTest extends DdlBehaviour {

  @Test
  void theServerHasNoDescendingKeyEither() {
    String key = "CREATE TABLE \"D\" (\"A\" bigint NOT NULL, PRIMARY KEY (\"A\"%s))";
    assertThatThrownBy(() -> database().update(String.format(key, " DESC")))
        .hasStackTraceContaining("syntax error at or near \"DESC\"");
    database().update(String.format(key, ""));
  }

  @Test
  void theServerHasNoNumericKeyEither() {
    assertThatThrownBy(
            () -> database().update("CREATE TABLE \"N\" (\"A\" numeric, PRIMARY KEY (\"A\"))"))
        .hasStackTraceContaining("NUMERIC");
  }
}
