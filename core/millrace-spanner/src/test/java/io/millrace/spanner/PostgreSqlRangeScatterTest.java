package io.millrace.spanner;

import com.google.cloud.spanner.Dialect;
import io.millrace.test.emulator.SpannerTest;
import org.junit.jupiter.api.Tag;

@Tag("long")
@SpannerTest(dialect = Dialect.POSTGRESQL)
class PostgreSqlRangeScatterTest extends RangeScatterBehaviour {}
