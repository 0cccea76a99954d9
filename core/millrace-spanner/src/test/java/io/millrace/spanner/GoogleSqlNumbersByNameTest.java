package io.millrace.spanner;

import io.millrace.test.emulator.SpannerTest;

@SpannerTest(
    ddl = {
      "CREATE TABLE facts (stream STRING(MAX) NOT NULL, version INT64 NOT NULL,"
          + " note STRING(9) NOT NULL) PRIMARY KEY (stream, version)",
    })
class GoogleSqlNumbersByNameTest extends NumbersByNameBehaviour {}
