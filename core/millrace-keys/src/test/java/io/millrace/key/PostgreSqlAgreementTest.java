package io.millrace.key;

import com.google.cloud.spanner.Dialect;
import io.millrace.test.emulator.SpannerTest;

@SpannerTest(dialect = Dialect.POSTGRESQL)
class PostgreSqlAgreementTest extends ServerAgreement {}
