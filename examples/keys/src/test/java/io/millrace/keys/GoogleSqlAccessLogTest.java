package io.millrace.keys;

import io.millrace.emulator.SpannerTest;

@SpannerTest
class GoogleSqlAccessLogTest extends AccessLogBehaviour {}
