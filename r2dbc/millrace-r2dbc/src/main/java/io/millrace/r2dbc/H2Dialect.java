package io.millrace.r2dbc;

import io.r2dbc.spi.R2dbcException;
import java.sql.SQLException;
import java.util.Map;
import java.util.regex.Pattern;

final class H2Dialect implements R2dbcDialect {

  /** The driver splits the SQL at each semicolon, even inside quotes, and runs the parts. */
  private static final NameRule NAMES = new NameRule('"', 256, false, Pattern.compile("[^;]*"));

  private static final SqlStates FAILURES =
      new SqlStates(
          Map.ofEntries(
              Map.entry("HYT00", ErrorCategory.CONFLICT),
              Map.entry("90131", ErrorCategory.CONFLICT),
              Map.entry("42S03", ErrorCategory.TABLE_MISSING),
              Map.entry("42S04", ErrorCategory.TABLE_MISSING),
              Map.entry("90036", ErrorCategory.TABLE_MISSING),
              Map.entry("90079", ErrorCategory.TABLE_MISSING),
              Map.entry("90096", ErrorCategory.NOT_PERMITTED),
              Map.entry("90067", ErrorCategory.CONNECTION_LOST),
              Map.entry("90098", ErrorCategory.CONNECTION_LOST),
              Map.entry("90121", ErrorCategory.CONNECTION_LOST),
              Map.entry("57014", ErrorCategory.OTHER), // cancelled
              Map.entry("90007", ErrorCategory.OTHER), // closed
              Map.entry("90020", ErrorCategory.OTHER), // in use by another process
              Map.entry("90028", ErrorCategory.OTHER), // files
              Map.entry("90030", ErrorCategory.OTHER),
              Map.entry("90031", ErrorCategory.OTHER),
              Map.entry("90097", ErrorCategory.OTHER), // read-only
              Map.entry("90108", ErrorCategory.OTHER), // memory
              Map.entry("90111", ErrorCategory.OTHER), // a table of another database
              Map.entry("90135", ErrorCategory.OTHER)),
          ErrorCategory.REFUSED);

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
  public ErrorCategory kind(Throwable failure) {
    boolean ofTrigger =
        failure instanceof R2dbcException reported
            && reported.getSqlState() == null
            && reported.getCause() instanceof SQLException;
    return ofTrigger ? ErrorCategory.REFUSED : FAILURES.kind(failure);
  }

  @Override
  public boolean cachesPreparedStatements() {
    return false;
  }

  @Override
  public NativeSequenceSql nativeSequences() {
    return NativeSequenceSql.H2;
  }
}
