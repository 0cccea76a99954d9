package io.millrace.key;

import com.google.cloud.spanner.Dialect;
import io.millrace.test.emulator.SpannerTest;

/** The dialect has SHA-256, but neither MD5 nor hexadecimal digits of bytes. */
@SpannerTest(dialect = Dialect.POSTGRESQL)
class PostgreSqlAgreementTest extends ServerAgreement {}
