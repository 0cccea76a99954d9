package io.millrace.keys;

import io.millrace.emulator.SpannerTest;

@SpannerTest
class GoogleSqlVisitorsTest extends VisitorsBehaviour {}
