package io.millrace.r2dbc;

import io.millrace.databases.R2dbcDatabase;
import io.millrace.test.contract.ContractRow;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** The tables of {@link ContractRow} in a database. */
record ContractRows(R2dbcDatabase database, WatchedConnections watched) {

  /** The key of the table {@code facts}. */
  static final String[] KEY = {"stream", "version"};

  static ContractRows create(R2dbcDatabase database) {
    for (String[] table :
        new String[][] {{"facts", "\"stream\", \"version\""}, {"notes", "\"note\""}}) {
      database.execute(
          database
              .kind()
              .quoted(
                  "CREATE TABLE \"%s\" (\"stream\" VARCHAR(200) NOT NULL, \"version\" BIGINT NOT NULL,"
                      .concat(" \"note\" VARCHAR(9) NOT NULL, PRIMARY KEY (%s))")
                      .formatted((Object[]) table)));
    }
    return new ContractRows(database, new WatchedConnections(database.pooled()));
  }

  R2dbcInserts<ContractRow> inserts(String table) {
    return R2dbcInserts.<ContractRow>into(
            watched,
            table,
            (row, columns) ->
                columns
                    .set("stream", Objects.requireNonNull(row.stream()))
                    .set("version", row.version())
                    .set("note", row.note()))
        .retries(3, Duration.ofMillis(1), Duration.ofMillis(10))
        .concurrency(1);
  }

  List<ContractRow> stored(String table) {
    return database.query(
        "SELECT \"stream\", \"version\", \"note\" FROM \"" + table + '"',
        row ->
            new ContractRow(
                row.get(0, String.class),
                Objects.requireNonNull(row.get(1, Long.class)),
                Objects.requireNonNull(row.get(2, String.class))));
  }
}
