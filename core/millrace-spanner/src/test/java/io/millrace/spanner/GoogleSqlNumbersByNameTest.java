package io.millrace.spanner;

import io.millrace.test.emulator.SpannerTest;

@SpannerTest
class GoogleSqlNumbersByNameTest extends NumbersByNameBehaviour {}
