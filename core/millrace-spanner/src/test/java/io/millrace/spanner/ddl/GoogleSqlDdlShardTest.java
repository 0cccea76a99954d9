package io.millrace.spanner.ddl;

import io.millrace.test.emulator.SpannerTest;

@SpannerTest
class GoogleSqlDdlShardTest extends DdlShardBehaviour {}
