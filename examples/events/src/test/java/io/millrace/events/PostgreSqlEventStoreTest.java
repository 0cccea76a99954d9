package io.millrace.events;

import com.google.cloud.spanner.Dialect;
import io.millrace.test.emulator.SpannerTest;

@SpannerTest(dialect = Dialect.POSTGRESQL)
class PostgreSqlEventStoreTest extends EventStoreBehaviour {}
