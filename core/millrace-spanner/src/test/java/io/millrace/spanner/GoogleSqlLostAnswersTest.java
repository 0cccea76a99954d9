package io.millrace.spanner;

import io.millrace.test.emulator.SpannerTest;

@SpannerTest(
    ddl = {
      "CREATE TABLE letters (id INT64 NOT NULL, note STRING(MAX)) PRIMARY KEY (id)",
      "CREATE SCHEMA other",
      "CREATE TABLE other.notes (n INT64, note STRING(MAX)) PRIMARY KEY (note)",
      "CREATE TABLE typed (id INT64, n NUMERIC, f FLOAT64, b BOOL, s STRING(MAX), y BYTES(MAX),"
          + " t TIMESTAMP, d DATE) PRIMARY KEY (id, n, f, b, s DESC, y, t, d)",
      "CREATE TABLE stamped (id INT64, made TIMESTAMP OPTIONS (allow_commit_timestamp = true))"
          + " PRIMARY KEY (id)",
      "CREATE TABLE wide (id INT64, f FLOAT32, xs ARRAY<INT64>, p NUMERIC, t TIMESTAMP,"
          + " nothing STRING(MAX)) PRIMARY KEY (id)",
      "CREATE TABLE generated (shard INT64 AS (MOD(id, 8)) STORED, id INT64 NOT NULL,"
          + " note STRING(MAX)) PRIMARY KEY (shard, id)",
    })
class GoogleSqlLostAnswersTest extends LostAnswersBehaviour {}
