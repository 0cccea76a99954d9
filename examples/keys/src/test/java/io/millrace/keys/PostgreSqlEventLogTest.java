package io.millrace.keys;

import com.google.cloud.spanner.Dialect;
import io.millrace.emulator.SpannerTest;

@SpannerTest(dialect = Dialect.POSTGRESQL)
class PostgreSqlEventLogTest extends EventLogBehaviour {}
