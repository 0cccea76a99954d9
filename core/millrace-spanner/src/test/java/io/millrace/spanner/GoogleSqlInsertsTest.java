package io.millrace.spanner;

import io.millrace.test.emulator.SpannerTest;

@SpannerTest(
    ddl = {
      "CREATE TABLE orders (id INT64 NOT NULL, customer STRING(MAX) NOT NULL,"
          + " saved_at TIMESTAMP OPTIONS (allow_commit_timestamp = true)) PRIMARY KEY (id)",
      "CREATE TABLE orders_by_customer (customer STRING(MAX) NOT NULL, id INT64 NOT NULL)"
          + " PRIMARY KEY (customer, id)",
      "CREATE TABLE members (id INT64 NOT NULL, email STRING(MAX)) PRIMARY KEY (id)",
      "CREATE UNIQUE INDEX members_by_email ON members (email)",
    })
class GoogleSqlInsertsTest extends SpannerInsertsBehaviour {}
