package io.millrace.spanner;

import com.google.cloud.spanner.Dialect;
import io.millrace.test.emulator.SpannerTest;

@SpannerTest(dialect = Dialect.POSTGRESQL)
class PostgreSqlTransactionalSequenceTest extends SpannerTransactionalSequenceBehaviour {}
