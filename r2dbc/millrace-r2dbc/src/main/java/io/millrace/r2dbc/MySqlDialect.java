package io.millrace.r2dbc;

import io.r2dbc.spi.R2dbcException;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * MySQL, and what MariaDB shares with it.
 *
 * <p>Failures go by the server's codes. r2dbc-mysql drops the SQLSTATE of most failures, and both
 * drivers report many refusals with the class of a broken connection.
 */
class MySqlDialect implements R2dbcDialect, DialectFeatures {

  /** The server refuses a space at the end, and characters outside the Basic Multilingual Plane. */
  private static final NameRule NAMES =
      new NameRule('`', 64, false, Pattern.compile("[\\x{1}-\\x{FFFF}]*[\\x{1}-\\x{FFFF}&&[^ ]]"));

  /** Codes below are errors of the operating system, and codes above are the drivers' own. */
  private static final int FIRST_CODE = 1_000;

  private static final int LAST_CODE = 8_999;

  /** A record changed since it was read, a lock was awaited too long, a deadlock, NOWAIT. */
  private static final int[] CONFLICTS = {1020, 1205, 1213, 3572};

  private static final int[] DUPLICATES = {1022, 1062, 1169, 1586, 1859};

  /** No right to the database, the login, the table, the column, the command or the routine. */
  private static final int[] NOT_PERMITTED = {1044, 1045, 1142, 1143, 1227, 1370, 1698};

  /**
   * A value that is missing, too large, of another type or not in a partition; a CHECK; more values
   * than columns; a rule of a view, a generated column; a statement that is larger than {@code
   * max_allowed_packet}, or cannot be prepared; an error that a trigger raises, or a table that it
   * may not change; a sequence that is at its end.
   */
  private static final int[] REFUSED = {
    1048, 1118, 1136, 1153, 1216, 1217, 1264, 1265, 1292, 1295, 1364, 1365, 1366, 1367, 1369, 1406,
    1411, 1416, 1442, 1451, 1452, 1526, 1644, 1690, 3105, 3140, 3141, 3142, 3156, 3819, 4025, 4084
  };

  /**
   * Too many connections, shutdown, a broken network, a connection that was ended, a server that
   * takes no writes (any more).
   */
  private static final int[] CONNECTION_LOST = {
    1040, 1042, 1043, 1047, 1053, 1080, 1152, 1155, 1156, 1157, 1158, 1159, 1160, 1161, 1184, 1203,
    1290, 1792, 1836, 1874, 1927, 3169, 4031
  };

  private static final Map<Integer, FailureKind> KINDS = new HashMap<>();

  static {
    put(FailureKind.CONFLICT, CONFLICTS);
    put(FailureKind.DUPLICATE_KEY, DUPLICATES);
    put(FailureKind.TABLE_MISSING, 1049, 1146);
    put(FailureKind.NOT_PERMITTED, NOT_PERMITTED);
    put(FailureKind.REFUSED, REFUSED);
    put(FailureKind.CONNECTION_LOST, CONNECTION_LOST);
  }

  private static void put(FailureKind kind, int... codes) {
    for (int code : codes) {
      KINDS.put(code, kind);
    }
  }

  private final String name;
  private final String collation;

  /**
   * @param collation distinguishes names that differ in case, accents or spaces at the end. The
   *     servers' defaults do not
   */
  MySqlDialect(String name, String collation) {
    this.name = name;
    this.collation = collation;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final String quoteIdentifier(String part) {
    return NAMES.quoted(part);
  }

  @Override
  public final int maxParameters() {
    return 65_535;
  }

  @Override
  public final String createTable(
      String table, String nameColumn, String valueColumn, int nameLength) {
    return """
        CREATE TABLE IF NOT EXISTS %s (%s VARCHAR(%d) CHARACTER SET utf8mb4 COLLATE %s NOT NULL, \
        %s BIGINT NOT NULL, PRIMARY KEY (%s)) ENGINE=InnoDB"""
        .formatted(table, nameColumn, nameLength, collation, valueColumn, nameColumn);
  }

  @Override
  public final FailureKind kind(Throwable failure) {
    if (failure instanceof R2dbcException reported) {
      int code = reported.getErrorCode();
      FailureKind byCode = KINDS.get(code);
      if (byCode != null) {
        return byCode;
      }
      if (code >= FIRST_CODE && code <= LAST_CODE) {
        return SqlStates.STANDARD.byState(failure);
      }
    }
    return SqlStates.STANDARD.kind(failure);
  }

  @Override
  public final boolean setsAutocommit() {
    return true;
  }

  /** The driver sends a statement as text. */
  @Override
  public final boolean keepsStatements() {
    return false;
  }

  @Override
  public final boolean remembersUpdate() {
    return true;
  }

  @Override
  public final String toString() {
    return name;
  }
}
