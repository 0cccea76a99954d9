package io.millrace.r2dbc;

final class MariaDbDialect extends MySqlDialect {

  MariaDbDialect() {
    super("MariaDB", "utf8mb4_nopad_bin");
  }

  @Override
  public MoveAndInsert moveAndInsert() {
    return MoveAndInsert.MARIADB;
  }

  @Override
  public NativeSequenceSql nativeSequences() {
    return NativeSequenceSql.MARIADB;
  }
}
