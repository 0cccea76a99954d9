package io.millrace.r2dbc;

import io.millrace.internal.LedgerSql;

/**
 * One statement that moves a counter, adds the entry of the reservation to a ledger, and returns
 * the counter's new value. Parameters: the three of the update, which are the size, the sequence
 * and a limit, then the id of the entry and the holder.
 */
@FunctionalInterface
interface Recording {

  /** A query with two statements that write, which PostgreSQL allows. */
  Recording POSTGRESQL =
      (update, column, sql) ->
          "WITH moved AS ("
              + (update + " RETURNING " + column + "), recorded AS (")
              + (insert(sql, column, "moved") + ") SELECT " + column + " FROM moved");

  /** A table of the rows that a statement wrote, which H2 allows. */
  Recording H2 =
      (update, column, sql) ->
          "SELECT \"first\" + \"size\" FROM FINAL TABLE ("
              + (insert(sql, column, "FINAL TABLE (" + update + ")") + ")");

  /**
   * The statement.
   *
   * @param update the update with parameters 1 to 3
   * @param column the quoted name of the counter's column
   * @param sql the statements of the ledger
   */
  String statement(String update, String column, LedgerSql sql);

  private static String insert(LedgerSql sql, String column, String from) {
    return sql.insertFrom(
        "CAST($2 AS VARCHAR)",
        column + " - CAST($1 AS BIGINT)",
        "CAST($4 AS BIGINT)",
        "CAST($1 AS BIGINT)",
        "CAST($5 AS VARCHAR)",
        from);
  }
}
