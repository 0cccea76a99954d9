package io.millrace.r2dbc;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcException;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import reactor.core.publisher.Mono;

/**
 * MySQL, and what MariaDB shares with it.
 *
 * <p>Failures go by the server's codes, and an unlisted one is a refusal. r2dbc-mysql drops the
 * SQLSTATE of most failures, and both drivers report many refusals with the class of a broken
 * connection.
 */
class MySqlDialect implements R2dbcDialect {

  /** The server refuses a space at the end, and characters outside the Basic Multilingual Plane. */
  private static final NameRule NAMES =
      new NameRule('`', 64, false, Pattern.compile("[\\x{1}-\\x{FFFF}]*[\\x{1}-\\x{FFFF}&&[^ ]]"));

  /**
   * A record changed since it was read, a lock was awaited too long, a deadlock, a table that was
   * altered meanwhile, NOWAIT, another member of the group committed first.
   */
  private static final int[] CONFLICTS = {1020, 1205, 1213, 1412, 3101, 3572};

  private static final int[] DUPLICATES = {1022, 1062, 1169, 1586, 1859};

  /** No right to the database, the login, the table, the column, the command or the routine. */
  private static final int[] NOT_PERMITTED = {1044, 1045, 1130, 1142, 1143, 1227, 1370, 1698};

  /**
   * Refusals whose SQLSTATE has another meaning: a statement that is larger than {@code
   * max_allowed_packet}, and errors that a trigger raises.
   */
  private static final int[] REFUSED = {1153, 1643, 1644};

  /**
   * Too many connections (also of a user), shutdown, a broken network, a connection that was ended,
   * a server that takes no writes (any more).
   */
  private static final int[] CONNECTION_LOST = {
    1040, 1042, 1043, 1047, 1053, 1077, 1078, 1079, 1080, 1152, 1155, 1156, 1157, 1158, 1159, 1160,
    1161, 1184, 1203, 1226, 1290, 1792, 1836, 1874, 1927, 3032, 3169, 4031
  };

  /**
   * Errors that are not of the statement: files, memory, threads, quotas, engines, other servers,
   * locked tables of the session, prepared statements, a statement that was killed or took too
   * long, a commit that failed.
   */
  private static final int[] OTHER = {
    1016, 1017, 1021, 1023, 1024, 1026, 1028, 1030, 1034, 1035, 1037, 1038, 1041, 1099, 1100, 1105,
    1114, 1119, 1129, 1135, 1154, 1180, 1181, 1194, 1195, 1206, 1223, 1243, 1296, 1297, 1317, 1429,
    1430, 1436, 1461, 1598, 1615, 1637, 1689, 1712, 1815, 1878, 1907, 1968, 1969, 3024, 3100, 3168
  };

  private static final Map<Integer, ErrorCategory> KINDS = new HashMap<>();

  static {
    put(ErrorCategory.CONFLICT, CONFLICTS);
    put(ErrorCategory.DUPLICATE_KEY, DUPLICATES);
    put(ErrorCategory.TABLE_MISSING, 1049, 1146);
    put(ErrorCategory.NOT_PERMITTED, NOT_PERMITTED);
    put(ErrorCategory.REFUSED, REFUSED);
    put(ErrorCategory.CONNECTION_LOST, CONNECTION_LOST);
    put(ErrorCategory.OTHER, OTHER);
  }

  private static void put(ErrorCategory kind, int... codes) {
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
  public final ErrorCategory kind(Throwable failure) {
    if (failure instanceof R2dbcException reported) {
      int code = reported.getErrorCode();
      ErrorCategory byCode = KINDS.get(code);
      if (byCode != null) {
        return byCode;
      }
      if (isOfServer(code)) {
        ErrorCategory byState = SqlStates.STANDARD.byState(failure);
        return byState == ErrorCategory.OTHER ? ErrorCategory.REFUSED : byState;
      }
    }
    return SqlStates.STANDARD.kind(failure);
  }

  /**
   * Whether a code is the server's, or that of a trigger, which may choose any. The others are the
   * operating system's (below 1000), clients' (2000), drivers' and proxies' (9000), and those of
   * the engine Spider (12000).
   */
  private static boolean isOfServer(int code) {
    int thousand = code / 1_000;
    return thousand > 0 && thousand != 2 && thousand != 9 && thousand != 12;
  }

  /**
   * Switches autocommit on. r2dbc-mysql reports it from the server's greeting, which does not tell
   * whether {@code autocommit=0} is the default.
   */
  @Override
  public final Mono<Void> prepare(Connection connection) {
    return Mono.defer(() -> Mono.from(connection.setAutoCommit(true)));
  }

  /** Applies to the next statement in autocommit only. */
  @Override
  public final String readCommitted() {
    return "SET TRANSACTION ISOLATION LEVEL READ COMMITTED";
  }

  /** The driver sends a statement as text. */
  @Override
  public final boolean cachesPreparedStatements() {
    return false;
  }

  /** Without the cast the value has no sign. */
  @Override
  public final String remembering(String expression) {
    return "CAST(LAST_INSERT_ID(" + expression + ") AS SIGNED)";
  }

  @Override
  public final String remembered() {
    return "SELECT CAST(LAST_INSERT_ID() AS SIGNED)";
  }
}
