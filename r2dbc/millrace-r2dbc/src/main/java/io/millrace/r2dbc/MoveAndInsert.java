package io.millrace.r2dbc;

/**
 * One statement in autocommit that moves a counter and writes rows, or does neither. It returns a
 * row if it has moved the counter. What the database refuses undoes all of it.
 */
enum MoveAndInsert {

  /** A query with two statements that write. The rows come from the query {@code moved}. */
  POSTGRESQL {
    @Override
    String statement(String move, String column, String insert, String rows) {
      return "WITH moved AS ("
          + (move + " RETURNING " + column + "), written AS (" + insert + " RETURNING 1)")
          + (" SELECT " + column + " / " + PostgreSqlDialect.oneIfAllWritten(rows) + " FROM moved");
    }
  },

  /**
   * A block with a transaction. It is also rolled back if the statement is killed before the
   * commit. A kill after it is reported in the same way, so it does not count as a refusal.
   */
  MARIADB {
    @Override
    String statement(String move, String column, String insert, String rows) {
      return "BEGIN NOT ATOMIC"
          + " DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN ROLLBACK; RESIGNAL; END;"
          + (" START TRANSACTION; " + move + "; IF ROW_COUNT() = 1 THEN " + insert + ";")
          + " COMMIT; SELECT 1; ELSE ROLLBACK; END IF; END";
    }
  };

  /**
   * The statement. Its parameters are those of the move, then those of the rows.
   *
   * @param move an update of one counter
   * @param column the quoted name of the counter's column
   * @param insert writes the rows
   * @param rows the number of rows, as an expression of the parameters of the move. Used where a
   *     trigger can skip rows: the statement fails if one is missing
   */
  abstract String statement(String move, String column, String insert, String rows);
}
