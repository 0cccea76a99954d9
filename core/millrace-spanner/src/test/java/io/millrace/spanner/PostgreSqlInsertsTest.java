package io.millrace.spanner;

import com.google.cloud.spanner.Dialect;
import io.millrace.test.emulator.SpannerTest;

@SpannerTest(
    dialect = Dialect.POSTGRESQL,
    ddl = {
      "CREATE TABLE orders (id bigint NOT NULL PRIMARY KEY, customer varchar NOT NULL,"
          + " saved_at SPANNER.COMMIT_TIMESTAMP)",
      "CREATE TABLE orders_by_customer (customer varchar NOT NULL, id bigint NOT NULL,"
          + " PRIMARY KEY (customer, id))",
      "CREATE TABLE members (id bigint PRIMARY KEY, email varchar)",
      "CREATE UNIQUE INDEX members_by_email ON members (email)",
    })
class PostgreSqlInsertsTest extends SpannerInsertsBehaviour {}
