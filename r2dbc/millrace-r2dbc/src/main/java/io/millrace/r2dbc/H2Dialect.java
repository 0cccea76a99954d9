package io.millrace.r2dbc;

import java.util.Map;
import java.util.regex.Pattern;

final class H2Dialect implements R2dbcDialect, DialectFeatures {

  /** The driver splits the SQL at each semicolon, even inside quotes, and runs the parts. */
  private static final NameRule NAMES = new NameRule('"', 256, false, Pattern.compile("[^;]*"));

  private static final SqlStates FAILURES =
      new SqlStates(
          Map.ofEntries(
              Map.entry("HYT00", FailureKind.CONFLICT),
              Map.entry("90131", FailureKind.CONFLICT),
              Map.entry("42S03", FailureKind.TABLE_MISSING),
              Map.entry("42S04", FailureKind.TABLE_MISSING),
              Map.entry("90036", FailureKind.TABLE_MISSING),
              Map.entry("90079", FailureKind.TABLE_MISSING),
              Map.entry("90006", FailureKind.REFUSED),
              Map.entry("90096", FailureKind.NOT_PERMITTED),
              Map.entry("90067", FailureKind.CONNECTION_LOST),
              Map.entry("90098", FailureKind.CONNECTION_LOST),
              Map.entry("90121", FailureKind.CONNECTION_LOST)));

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

  @Override
  public FailureKind kind(Throwable failure) {
    return FAILURES.kind(failure);
  }

  @Override
  public boolean keepsStatements() {
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
