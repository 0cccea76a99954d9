package io.millrace.spanner;

import io.millrace.test.emulator.SpannerTest;

@SpannerTest
class GoogleSqlLedgerTest extends SpannerLedgerBehaviour {}
