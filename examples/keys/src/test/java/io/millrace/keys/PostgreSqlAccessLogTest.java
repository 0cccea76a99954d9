package io.millrace.keys;

import com.google.cloud.spanner.Dialect;
import io.millrace.test.emulator.SpannerTest;

@SpannerTest(dialect = Dialect.POSTGRESQL)
class PostgreSqlAccessLogTest extends AccessLogBehaviour {}
