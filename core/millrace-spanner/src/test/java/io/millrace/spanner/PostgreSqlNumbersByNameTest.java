package io.millrace.spanner;

import com.google.cloud.spanner.Dialect;
import io.millrace.test.emulator.SpannerTest;

@SpannerTest(
    dialect = Dialect.POSTGRESQL,
    ddl = {
      "CREATE TABLE facts (stream varchar NOT NULL, version bigint NOT NULL,"
          + " note varchar(9) NOT NULL, PRIMARY KEY (stream, version))",
    })
class PostgreSqlNumbersByNameTest extends NumbersByNameBehaviour {}
