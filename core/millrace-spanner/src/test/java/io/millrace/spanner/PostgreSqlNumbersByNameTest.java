package io.millrace.spanner;

import com.google.cloud.spanner.Dialect;
import io.millrace.test.emulator.SpannerTest;
import org.junit.jupiter.api.Tag;

@SpannerTest(dialect = Dialect.POSTGRESQL)
@Tag("long")
class PostgreSqlNumbersByNameTest extends NumbersByNameBehaviour {}
