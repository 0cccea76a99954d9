package io.millrace.spanner;

import com.google.cloud.spanner.Dialect;
import io.millrace.test.emulator.SpannerTest;
import org.junit.jupiter.api.Tag;

@SpannerTest(
    dialect = Dialect.POSTGRESQL,
    ddl = {
      "CREATE TABLE letters (id bigint NOT NULL PRIMARY KEY, note varchar)",
      "CREATE SCHEMA other",
      "CREATE TABLE other.notes (n bigint, note varchar PRIMARY KEY)",
      "CREATE TABLE typed (id bigint, f float8, b bool, s varchar, y bytea, t timestamptz, d date,"
          + " PRIMARY KEY (id, f, b, s, y, t, d))",
      "CREATE TABLE stamped (id bigint PRIMARY KEY, made SPANNER.COMMIT_TIMESTAMP)",
      "CREATE TABLE wide (id bigint PRIMARY KEY, f float4, xs bigint[], p numeric, t timestamptz,"
          + " nothing varchar)",
      "CREATE TABLE generated (shard bigint GENERATED ALWAYS AS (mod(id, 8)) STORED NOT NULL,"
          + " id bigint NOT NULL, note varchar, PRIMARY KEY (shard, id))",
    })
@Tag("long")
class PostgreSqlLostAnswersTest extends LostAnswersBehaviour {}
