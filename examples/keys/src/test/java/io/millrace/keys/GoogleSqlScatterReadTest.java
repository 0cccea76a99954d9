package io.millrace.keys;

import io.millrace.test.emulator.SpannerTest;

@SpannerTest
class GoogleSqlScatterReadTest extends ScatterReadBehaviour {}
