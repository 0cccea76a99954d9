package io.millrace.r2dbc;

import java.util.Map;

final class PostgreSqlDialect implements R2dbcDialect {

  /** The server silently drops the bytes after these. */
  private static final int NAME_BYTES = 63;

  private static final NameRule NAMES = new NameRule('"', NAME_BYTES, true, null);

  private static final SqlStates FAILURES =
      new SqlStates(
          Map.ofEntries(
              Map.entry("40P01", ErrorCategory.CONFLICT),
              Map.entry("55P03", ErrorCategory.CONFLICT),
              Map.entry("42P01", ErrorCategory.TABLE_MISSING),
              Map.entry("53300", ErrorCategory.CONNECTION_LOST), // too many connections
              Map.entry("57P01", ErrorCategory.CONNECTION_LOST),
              Map.entry("57P02", ErrorCategory.CONNECTION_LOST),
              Map.entry("57P03", ErrorCategory.CONNECTION_LOST),
              Map.entry("53", ErrorCategory.OTHER), // resources
              Map.entry("57", ErrorCategory.OTHER), // cancelled
              Map.entry("58", ErrorCategory.OTHER), // the operating system, the configuration, bugs
              Map.entry("F0", ErrorCategory.OTHER),
              Map.entry("XX", ErrorCategory.OTHER)),
          ErrorCategory.REFUSED);

  @Override
  public String name() {
    return "PostgreSQL";
  }

  @Override
  public String quoteIdentifier(String part) {
    return NAMES.quoted(part);
  }

  @Override
  public String marker(int index) {
    return "$" + (index + 1);
  }

  @Override
  public int maxParameters() {
    return 65_535;
  }

  @Override
  public String returning(String update, String column) {
    return update + " RETURNING " + column;
  }

  @Override
  public ErrorCategory kind(Throwable failure) {
    return FAILURES.kind(failure);
  }

  @Override
  public String ignoringDuplicates(String insert) {
    return insert + " ON CONFLICT DO NOTHING";
  }

  @Override
  public String moveAndInsert(String move, String column, String insert) {
    return ("WITH moved AS (%s RETURNING %s), written AS (%s WHERE EXISTS (SELECT FROM moved))"
            + " SELECT %s FROM moved")
        .formatted(move, column, insert, column);
  }

  @Override
  public ArrayTypes arrayTypes() {
    return ArrayTypes.POSTGRESQL;
  }

  @Override
  public NativeSequenceSql nativeSequences() {
    return NativeSequenceSql.POSTGRESQL;
  }
}
