package io.millrace.spanner;

import io.millrace.emulator.SpannerTest;

@SpannerTest
class GoogleSqlHostileNamesTest extends HostileNamesBehaviour {}
