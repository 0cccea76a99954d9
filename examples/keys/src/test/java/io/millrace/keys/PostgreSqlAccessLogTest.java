package io.millrace.keys;

import com.google.cloud.spanner.Dialect;
import io.millrace.test.emulator.SpannerTest;
import org.junit.jupiter.api.Tag;

@SpannerTest(dialect = Dialect.POSTGRESQL)
@Tag("long")
class PostgreSqlAccessLogTest extends AccessLogBehaviour {}
