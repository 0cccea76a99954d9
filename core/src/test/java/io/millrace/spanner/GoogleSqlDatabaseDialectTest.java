package io.millrace.spanner;

import io.millrace.emulator.SpannerTest;

@SpannerTest
class GoogleSqlDatabaseDialectTest extends DatabaseDialectBehaviour {}
