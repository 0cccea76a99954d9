package io.millrace.keys;

import io.millrace.emulator.SpannerTest;

@SpannerTest
class GoogleSqlUserOrdersTest extends UserOrdersBehaviour {}
