package io.millrace.spanner;

import io.millrace.test.emulator.SpannerTest;

@SpannerTest(
    ddl = {
      "CREATE TABLE orders (id INT64 NOT NULL, customer STRING(MAX) NOT NULL, price NUMERIC,"
          + " saved_at TIMESTAMP OPTIONS (allow_commit_timestamp = true)) PRIMARY KEY (id)",
      "CREATE TABLE invoices (customer STRING(MAX) NOT NULL, id INT64 NOT NULL)"
          + " PRIMARY KEY (customer)",
      "CREATE TABLE orders_by_customer (customer STRING(MAX) NOT NULL, id INT64 NOT NULL)"
          + " PRIMARY KEY (customer, id)",
      "CREATE TABLE keyless (id STRING(36) NOT NULL DEFAULT (GENERATE_UUID()), note STRING(MAX))"
          + " PRIMARY KEY (id)",
      "CREATE TABLE members (id INT64 NOT NULL, email STRING(MAX)) PRIMARY KEY (id)",
      "CREATE UNIQUE INDEX members_by_email ON members (email)",
    })
class GoogleSqlInsertsTest extends SpannerInsertsBehaviour {}
