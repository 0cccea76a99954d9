package io.millrace.spanner;

import com.google.cloud.spanner.Dialect;
import io.millrace.test.emulator.SpannerTest;

@SpannerTest(
    dialect = Dialect.POSTGRESQL,
    ddl = {
      "CREATE TABLE orders (id bigint NOT NULL PRIMARY KEY, customer varchar NOT NULL,"
          + " price numeric, saved_at SPANNER.COMMIT_TIMESTAMP)",
      "CREATE TABLE invoices (customer varchar PRIMARY KEY, id bigint NOT NULL)",
      "CREATE TABLE orders_by_customer (customer varchar NOT NULL, id bigint NOT NULL,"
          + " PRIMARY KEY (customer, id))",
      "CREATE TABLE keyless (id varchar(36) NOT NULL DEFAULT spanner.generate_uuid() PRIMARY KEY,"
          + " note varchar)",
      "CREATE TABLE members (id bigint PRIMARY KEY, email varchar)",
      "CREATE UNIQUE INDEX members_by_email ON members (email)",
    })
class PostgreSqlInsertsTest extends SpannerInsertsBehaviour {}
