package io.millrace.spanner;

import io.millrace.test.emulator.SpannerTest;

@SpannerTest
class GoogleSqlHostileNamesTest extends HostileNamesBehaviour {}
