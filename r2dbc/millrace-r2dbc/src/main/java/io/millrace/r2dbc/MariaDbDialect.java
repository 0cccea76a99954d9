package io.millrace.r2dbc;

final class MariaDbDialect extends MySqlDialect {

  MariaDbDialect() {
    super("MariaDB", "utf8mb4_nopad_bin");
  }

  /**
   * A block with a transaction. It is also rolled back if the statement is killed before the
   * commit. A kill after it is reported in the same way, so it does not count as a refusal.
   */
  @Override
  public String moveAndInsert(String move, String column, String insert) {
    return "BEGIN NOT ATOMIC"
        + " DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN ROLLBACK; RESIGNAL; END;"
        + (" START TRANSACTION; " + move + "; IF ROW_COUNT() = 1 THEN " + insert + ";")
        + " COMMIT; SELECT 1; ELSE ROLLBACK; END IF; END";
  }

  @Override
  public NativeSequenceSql nativeSequences() {
    return NativeSequenceSql.MARIADB;
  }
}
