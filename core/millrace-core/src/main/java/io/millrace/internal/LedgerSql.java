package io.millrace.internal;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The statements on the table of a ledger, for all databases. Parameters are counted from 0, in the
 * order in which they stand in the text; each constant or method lists them.
 *
 * <p>The key is (sequence, first, id). On Spanner a shard derived from the sequence stands before
 * it, so that sequences whose names begin alike do not meet on one server. The entries of one
 * sequence stay together: no more of them are written than its counter allows.
 */
public final class LedgerSql {

  /** The longest text of a holder: two names, a host and what is between them. */
  public static final int HOLDER_LENGTH = 100 + 1 + 255 + 1 + 100;

  /** The number of shards on Spanner. */
  public static final int SHARDS = 64;

  /** How many entries are removed with one statement, or a few more. */
  static final int REMOVED_AT_ONCE = 1_000;

  /** The type of a text in standard SQL. */
  public static final String VARCHAR = "varchar(%d)";

  /** The type of a text in GoogleSQL. */
  public static final String STRING = "STRING(%d)";

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS");

  /** How databases differ in time and in shards. */
  public enum Kind {
    /** Standard SQL. */
    STANDARD(
        "TIMESTAMP(6) WITH TIME ZONE%",
        "CURRENT_TIMESTAMP", "TIMESTAMP WITH TIME ZONE '", "+00:00'"),
    /** PostgreSQL, whose CURRENT_TIMESTAMP is from before the wait for the counter. */
    POSTGRESQL(
        "TIMESTAMP(6) WITH TIME ZONE%",
        "clock_timestamp()", "TIMESTAMP WITH TIME ZONE '", "+00:00'"),
    /** MySQL and MariaDB, whose TIMESTAMP depends on the session's time zone. */
    MYSQL("DATETIME(6)%", "UTC_TIMESTAMP(6)", "'", "'"),
    /** Spanner, GoogleSQL. */
    GOOGLESQL(
        "TIMESTAMP% OPTIONS (allow_commit_timestamp = true)",
        "PENDING_COMMIT_TIMESTAMP()", "TIMESTAMP '", "+00:00'"),
    /** Spanner, PostgreSQL. */
    SPANNER_POSTGRESQL(
        "spanner.commit_timestamp%",
        "SPANNER.PENDING_COMMIT_TIMESTAMP()", "TIMESTAMPTZ '", "+00:00'");

    private final String timeType;
    private final String now;
    private final String timePrefix;
    private final String timeSuffix;

    Kind(String timeType, String now, String timePrefix, String timeSuffix) {
      this.timeType = timeType;
      this.now = now;
      this.timePrefix = timePrefix;
      this.timeSuffix = timeSuffix;
    }

    /** A point in time as a literal, in microseconds. */
    String literal(Instant time) {
      return timePrefix + TIME.format(time.atOffset(ZoneOffset.UTC)) + timeSuffix;
    }

    boolean isSpanner() {
      return this == GOOGLESQL || this == SPANNER_POSTGRESQL;
    }

    /** The shard of a sequence, an expression. */
    private String shard(String sequence) {
      String hash = this == GOOGLESQL ? "FARM_FINGERPRINT(" : "spanner.farm_fingerprint(";
      String mod = "MOD(" + hash + sequence + "), " + SHARDS + ")";
      return "MOD(" + mod + " + " + SHARDS + ", " + SHARDS + ")";
    }

    /** Only Spanner deletes rows by itself. */
    private String deletionPolicy(String column, long days) {
      return switch (this) {
        case GOOGLESQL ->
            ", ROW DELETION POLICY (OLDER_THAN(" + column + ", INTERVAL " + days + " DAY))";
        case SPANNER_POSTGRESQL -> " TTL INTERVAL '" + days + " days' ON " + column;
        default -> "";
      };
    }

    private String shardType(String sequence) {
      return this == GOOGLESQL
          ? "INT64 NOT NULL AS (" + shard(sequence) + ") STORED"
          : "bigint NOT NULL GENERATED ALWAYS AS (" + shard(sequence) + ") STORED";
    }
  }

  private final Kind kind;
  private final String table;
  private final UnaryOperator<String> quote;
  private final IntFunction<String> marker;

  /**
   * Describes a table.
   *
   * @param table the quoted name of the table
   * @param quote quotes the name of a column
   * @param marker the marker of a parameter, counted from 0
   */
  public LedgerSql(
      Kind kind, String table, UnaryOperator<String> quote, IntFunction<String> marker) {
    this.kind = kind;
    this.table = table;
    this.quote = quote;
    this.marker = marker;
  }

  /**
   * Creates the table unless it exists.
   *
   * @param text the type of a text, with {@code %d} for the number of characters
   * @param suffix what stands at the end
   * @param nameLength how many characters a sequence's name may have
   * @param retention after which time Spanner deletes entries, or null
   */
  public String createTable(
      String text, String suffix, int nameLength, @Nullable Duration retention) {
    String columns =
        (kind.isSpanner() ? column("shard") + " " + kind.shardType(column("sequence")) + ", " : "")
            + (column("sequence") + " " + String.format(text, nameLength) + " NOT NULL, ")
            + (number("first") + ", " + number("id") + ", " + number("size") + ", ")
            + (number("released") + ", ")
            + (column("holder") + " " + String.format(text, HOLDER_LENGTH) + " NOT NULL, ")
            + (column("reserved_at") + " " + kind.timeType.replace("%", " NOT NULL"));
    String key =
        "PRIMARY KEY ("
            + (kind.isSpanner() ? column("shard") + ", " : "")
            + (column("sequence") + ", " + column("first") + ", " + column("id") + ")");
    return "CREATE TABLE IF NOT EXISTS "
        + (table + " (" + columns)
        + (kind == Kind.GOOGLESQL ? ") " + key : ", " + key + ")")
        + (retention == null ? "" : kind.deletionPolicy(column("reserved_at"), retention.toDays()))
        + suffix;
  }

  private String number(String name) {
    return column(name) + (kind == Kind.GOOGLESQL ? " INT64" : " bigint") + " NOT NULL";
  }

  /** Adds an entry. Parameters: sequence, first, id, size, holder. */
  public String insert() {
    return insertInto()
        + (" VALUES (" + marker(0) + ", " + marker(1) + ", " + marker(2) + ", " + marker(3))
        + (", 0, " + marker(4) + ", " + kind.now + ")");
  }

  /**
   * Adds an entry for each row of a subquery.
   *
   * @param sequence the sequence, an expression
   * @param first the first value, an expression
   * @param id the random number, an expression
   * @param size the number of values, an expression
   * @param holder the holder, an expression
   * @param from the source of rows, or an empty text
   */
  public String insertFrom(
      String sequence, String first, String id, String size, String holder, String from) {
    return insertInto()
        + (" SELECT " + sequence + ", " + first + ", " + id + ", " + size + ", 0, " + holder)
        + (", " + kind.now + (from.isEmpty() ? "" : " FROM " + from));
  }

  private String insertInto() {
    return "INSERT INTO "
        + (table + " (" + column("sequence") + ", " + column("first") + ", " + column("id"))
        + (", " + column("size") + ", " + column("released") + ", " + column("holder"))
        + (", " + column("reserved_at") + ")");
  }

  /**
   * Reads entries behind one. Parameters: sequence, first, first, id of that entry. Columns: first,
   * id, size, released, holder, reserved_at.
   */
  public String page(int limit) {
    return select()
        + (" AND " + column("first") + " >= " + marker(1))
        + (" AND (" + column("first") + " > " + marker(2))
        + (" OR " + column("id") + " > " + marker(3) + ")")
        + (" ORDER BY " + column("first") + ", " + column("id") + " LIMIT " + limit);
  }

  /**
   * Reads the last entry with kept values that begins at a value or below. Parameters: sequence,
   * value. Columns as for {@link #page}.
   */
  public String lastKept() {
    return select()
        + (" AND " + column("first") + " <= " + marker(1))
        + (" AND " + column("released") + " < " + column("size"))
        + (" ORDER BY " + column("first") + " DESC LIMIT 1");
  }

  private String select() {
    return "SELECT "
        + (column("first") + ", " + column("id") + ", " + column("size"))
        + (", " + column("released") + ", " + column("holder") + ", " + column("reserved_at"))
        + (" FROM " + table + where(0));
  }

  /**
   * Notes that all values from one on were given back. Parameters: that value, sequence, the first
   * value of the entry that {@link #lastKept} finds for it, the value.
   */
  public String release() {
    String end = column("first") + " + " + column("size");
    return "UPDATE "
        + (table + " SET " + column("released") + " = " + end + " - GREATEST(" + column("first"))
        + (", " + marker(0) + ")" + where(1) + " AND " + column("first") + " >= " + marker(2))
        + (" AND " + end + " - " + column("released") + " > " + marker(3));
  }

  /**
   * Finds the first value of the last of the old entries to remove with one statement. Parameters:
   * sequence. No row if there are fewer.
   *
   * @param before entries of reservations before it are old
   */
  public String removalBound(Instant before) {
    return "SELECT "
        + (column("first") + " FROM " + table + where(0) + old(before))
        + (" ORDER BY " + column("first") + " LIMIT 1 OFFSET " + (REMOVED_AT_ONCE - 1));
  }

  /**
   * Removes old entries. Parameters: sequence, the last first value.
   *
   * @param before entries of reservations before it are old
   */
  public String remove(Instant before) {
    return "DELETE FROM "
        + (table + where(0) + " AND " + column("first") + " <= " + marker(1) + old(before));
  }

  private String old(Instant before) {
    return " AND " + column("reserved_at") + " < " + kind.literal(before);
  }

  private String where(int sequence) {
    return " WHERE "
        + (kind.isSpanner() ? column("shard") + " = " + kind.shard(marker(sequence)) + " AND " : "")
        + (column("sequence") + " = " + marker(sequence));
  }

  private String column(String name) {
    return quote.apply(name);
  }

  private String marker(int index) {
    return marker.apply(index);
  }
}
