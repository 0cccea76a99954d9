package io.millrace.r2dbc;

import java.util.regex.Pattern;

/**
 * The dialects of MySQL and MariaDB, which differ in their collations, and in that MariaDB has
 * sequences.
 *
 * <p>Failures go by the server's codes. r2dbc-mysql drops the SQLSTATE of most failures, and both
 * drivers report many refusals with the class of a broken connection.
 */
final class MySqlDialects {

  /** The server refuses a space at the end, and characters outside the Basic Multilingual Plane. */
  private static final Pattern NAME =
      Pattern.compile("[\\x{1}-\\x{FFFF}]*[\\x{1}-\\x{FFFF}&&[^ ]]");

  private static final String ENGINE = " ENGINE=InnoDB";
  private static final int NAME_LENGTH = 64;
  private static final int PARAMETERS = 65_535;

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

  private MySqlDialects() {}

  /**
   * Describes what is true of both.
   *
   * @param collation distinguishes names that differ in case, accents or spaces at the end. The
   *     servers' defaults do not
   */
  static R2dbcDialectBuilder of(String name, String collation) {
    return R2dbcDialect.builder(name)
        .names(NameRule.STANDARD.atMost(NAME_LENGTH).of(NAME).quotedBy('`'))
        .maxParameters(PARAMETERS)
        .anonymousMarkers("?")
        .createTable(
            "CREATE TABLE IF NOT EXISTS {table} ({name} VARCHAR({length})"
                + " CHARACTER SET utf8mb4 COLLATE "
                + collation
                + " NOT NULL, {value} BIGINT NOT NULL, PRIMARY KEY ({name}))"
                + ENGINE)
        .remembersUpdate()
        .keepsFewStatements()
        .errorCode(FailureKind.CONFLICT, CONFLICTS)
        .errorCode(FailureKind.DUPLICATE_KEY, DUPLICATES)
        .errorCode(FailureKind.TABLE_MISSING, 1049, 1146)
        .errorCode(FailureKind.NOT_PERMITTED, NOT_PERMITTED)
        .errorCode(FailureKind.REFUSED, REFUSED)
        .errorCode(FailureKind.CONNECTION_LOST, CONNECTION_LOST)
        .serverCodes(code -> code >= FIRST_CODE && code <= LAST_CODE);
  }
}
