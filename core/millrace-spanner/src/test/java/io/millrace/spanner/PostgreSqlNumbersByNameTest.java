package io.millrace.spanner;

import com.google.cloud.spanner.Dialect;
import io.millrace.test.emulator.SpannerTest;
import org.junit.jupiter.api.Tag;

@SpannerTest(
    dialect = Dialect.POSTGRESQL,
    ddl = {
      "CREATE TABLE facts (stream varchar NOT NULL, version bigint NOT NULL,"
          + " note varchar(9) NOT NULL, PRIMARY KEY (stream, version))",
    })
@Tag("long")
class PostgreSqlNumbersByNameTest extends NumbersByNameBehaviour {}
