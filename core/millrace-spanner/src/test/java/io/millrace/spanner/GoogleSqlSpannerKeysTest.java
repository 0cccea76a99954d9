package io.millrace.spanner;

import io.millrace.test.emulator.SpannerTest;

@SpannerTest(ddl = SpannerKeysBehaviour.GOOGLE_SQL)
class GoogleSqlSpannerKeysTest extends SpannerKeysBehaviour {}
