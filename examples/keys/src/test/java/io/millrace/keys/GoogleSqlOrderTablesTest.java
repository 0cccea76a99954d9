package io.millrace.keys;

import io.millrace.emulator.SpannerTest;

@SpannerTest
class GoogleSqlOrderTablesTest extends OrderTablesBehaviour {}
