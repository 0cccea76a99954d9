package io.millrace.r2dbc;

import io.r2dbc.spi.R2dbcException;
import java.sql.SQLException;
import java.util.Map;
import java.util.regex.Pattern;

final class H2Dialect implements R2dbcDialect {

  /** The driver splits the SQL at each semicolon, even inside quotes, and runs the parts. */
  private static final NameRule NAMES = new NameRule('"', 256, false, Pattern.compile("[^;]*"));

  private static final SqlStates FAILURES =
      SqlStates.refusalsBut(
          Map.ofEntries(
              Map.entry("HYT00", FailureKind.CONFLICT),
              Map.entry("90131", FailureKind.CONFLICT),
              Map.entry("42S03", FailureKind.TABLE_MISSING),
              Map.entry("42S04", FailureKind.TABLE_MISSING),
              Map.entry("90036", FailureKind.TABLE_MISSING),
              Map.entry("90079", FailureKind.TABLE_MISSING),
              Map.entry("90096", FailureKind.NOT_PERMITTED),
              Map.entry("90067", FailureKind.CONNECTION_LOST),
              Map.entry("90098", FailureKind.CONNECTION_LOST),
              Map.entry("90121", FailureKind.CONNECTION_LOST),
              Map.entry("57014", FailureKind.OTHER), // cancelled
              Map.entry("90007", FailureKind.OTHER), // closed
              Map.entry("90020", FailureKind.OTHER), // in use by another process
              Map.entry("90028", FailureKind.OTHER), // files
              Map.entry("90030", FailureKind.OTHER),
              Map.entry("90031", FailureKind.OTHER),
              Map.entry("90097", FailureKind.OTHER), // read-only
              Map.entry("90108", FailureKind.OTHER), // memory
              Map.entry("90111", FailureKind.OTHER), // a table of another database
              Map.entry("90135", FailureKind.OTHER)));

  @Override
  public String name() {
    return "H2";
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
    return 100_000;
  }

  @Override
  public String returning(String update, String column) {
    return "SELECT " + column + " FROM FINAL TABLE (" + update + ")";
  }

  @Override
  public boolean isBlocking() {
    return true;
  }

  /** The driver passes on what a trigger throws, which need not have a SQLSTATE. */
  @Override
  public FailureKind kind(Throwable failure) {
    boolean ofTrigger =
        failure instanceof R2dbcException reported
            && reported.getSqlState() == null
            && reported.getCause() instanceof SQLException;
    return ofTrigger ? FailureKind.REFUSED : FAILURES.kind(failure);
  }

  @Override
  public boolean cachesPreparedStatements() {
    return false;
  }

  @Override
  public NativeSequenceSql nativeSequences() {
    return NativeSequenceSql.H2;
  }

  @Override
  public String toString() {
    return name();
  }
}
