package io.millrace.spanner;

import io.millrace.emulator.SpannerTest;

@SpannerTest(ddl = SpannerKeysBehaviour.GOOGLE_SQL)
class GoogleSqlSpannerKeysTest extends SpannerKeysBehaviour {}
