package io.millrace.spanner;

import com.google.cloud.spanner.Dialect;
import io.millrace.test.emulator.SpannerTest;

/** The dialect has no descending order in a primary key, and microseconds for nanoseconds. */
@SpannerTest(dialect = Dialect.POSTGRESQL, ddl = SpannerKeysBehaviour.POSTGRE_SQL)
class PostgreSqlSpannerKeysTest extends SpannerKeysBehaviour {}
