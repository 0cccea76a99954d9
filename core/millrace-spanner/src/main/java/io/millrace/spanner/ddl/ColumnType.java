package io.millrace.spanner.ddl;

import com.google.cloud.spanner.Dialect;

/**
 * The type of a column, for {@link TableDdl}: a type of GoogleSQL and its counterpart in
 * PostgreSQL. Immutable.
 */
public final class ColumnType {

  private static final int MAX_STRING_LENGTH = 2_621_440;
  private static final int MAX_BYTES_LENGTH = 10_485_760;

  /** A type's names in the two dialects. */
  private enum Kind {
    INT64("INT64", "bigint"),
    STRING("STRING", "varchar"),
    BYTES("BYTES", "bytea"),
    BOOL("BOOL", "boolean"),
    DATE("DATE", "date"),
    TIMESTAMP("TIMESTAMP", "timestamptz"),
    COMMIT_TIMESTAMP("TIMESTAMP", "spanner.commit_timestamp"),
    FLOAT64("FLOAT64", "double precision"),
    NUMERIC("NUMERIC", "numeric"),
    JSON("JSON", "jsonb");

    private final String googleSql;
    private final String postgreSql;

    Kind(String googleSql, String postgreSql) {
      this.googleSql = googleSql;
      this.postgreSql = postgreSql;
    }
  }

  private final Kind kind;

  /** How long a value may be; 0 if the type has no length or has MAX. */
  private final int length;

  private ColumnType(Kind kind, int length) {
    this.kind = kind;
    this.length = length;
  }

  /** {@return a 64-bit integer: {@code INT64}, {@code bigint}} */
  public static ColumnType int64() {
    return new ColumnType(Kind.INT64, 0);
  }

  /**
   * Returns a text of limited length: {@code STRING(n)}, {@code varchar(n)}.
   *
   * @param characters the limit, from 1 to 2621440 characters
   * @throws IllegalArgumentException if {@code characters} is out of range
   */
  public static ColumnType string(int characters) {
    return new ColumnType(Kind.STRING, length("string", characters, MAX_STRING_LENGTH));
  }

  /** {@return a text as long as Spanner allows: {@code STRING(MAX)}, {@code varchar}} */
  public static ColumnType longestString() {
    return new ColumnType(Kind.STRING, 0);
  }

  /**
   * Returns bytes of limited length: {@code BYTES(n)}; PostgreSQL's {@code bytea} has no limit.
   *
   * @param bytes the limit, from 1 to 10485760 bytes
   * @throws IllegalArgumentException if {@code bytes} is out of range
   */
  public static ColumnType bytes(int bytes) {
    return new ColumnType(Kind.BYTES, length("bytes", bytes, MAX_BYTES_LENGTH));
  }

  /** {@return bytes as long as Spanner allows: {@code BYTES(MAX)}, {@code bytea}} */
  public static ColumnType longestBytes() {
    return new ColumnType(Kind.BYTES, 0);
  }

  /** {@return true or false: {@code BOOL}, {@code boolean}} */
  public static ColumnType bool() {
    return new ColumnType(Kind.BOOL, 0);
  }

  /** {@return a day: {@code DATE}, {@code date}} */
  public static ColumnType date() {
    return new ColumnType(Kind.DATE, 0);
  }

  /** {@return a point in time: {@code TIMESTAMP}, {@code timestamptz}} */
  public static ColumnType timestamp() {
    return new ColumnType(Kind.TIMESTAMP, 0);
  }

  /**
   * Returns a point in time that may be set to the time of the commit: {@code TIMESTAMP} with
   * {@code allow_commit_timestamp}, {@code spanner.commit_timestamp}. Spanner cannot derive a shard
   * from it.
   */
  public static ColumnType commitTimestamp() {
    return new ColumnType(Kind.COMMIT_TIMESTAMP, 0);
  }

  /** {@return a 64-bit floating-point number: {@code FLOAT64}, {@code double precision}} */
  public static ColumnType float64() {
    return new ColumnType(Kind.FLOAT64, 0);
  }

  /**
   * Returns a decimal number: {@code NUMERIC}, {@code numeric}, whose ranges differ. In PostgreSQL
   * it cannot be part of a key.
   */
  public static ColumnType numeric() {
    return new ColumnType(Kind.NUMERIC, 0);
  }

  /** Returns a JSON document: {@code JSON}, {@code jsonb}. It cannot be part of a key. */
  public static ColumnType json() {
    return new ColumnType(Kind.JSON, 0);
  }

  private static int length(String type, int value, int longest) {
    if (value < 1 || value > longest) {
      throw new IllegalArgumentException(
          "the length of " + type + " must be from 1 to " + longest + ", was " + value);
    }
    return value;
  }

  /** The type's name in DDL. */
  String toDdl(Dialect dialect) {
    if (dialect == Dialect.POSTGRESQL) {
      return kind == Kind.STRING && length > 0
          ? kind.postgreSql + "(" + length + ")"
          : kind.postgreSql;
    }
    boolean sized = kind == Kind.STRING || kind == Kind.BYTES;
    return sized ? kind.googleSql + "(" + (length > 0 ? length : "MAX") + ")" : kind.googleSql;
  }

  /** What DDL says about the column after its type and {@code NOT NULL}, or nothing. */
  String options(Dialect dialect) {
    return kind == Kind.COMMIT_TIMESTAMP && dialect != Dialect.POSTGRESQL
        ? " OPTIONS (allow_commit_timestamp = true)"
        : "";
  }

  /** Whether an interleaved table may have this where its parent has {@code parent}. */
  boolean interleavesWith(ColumnType parent) {
    return toDdl(Dialect.GOOGLE_STANDARD_SQL).equals(parent.toDdl(Dialect.GOOGLE_STANDARD_SQL));
  }

  boolean isText() {
    return kind == Kind.STRING;
  }

  boolean isBytes() {
    return kind == Kind.BYTES;
  }

  /**
   * Whether the server may derive a generated column from it, through a text that client and server
   * agree on.
   */
  boolean canBeSharded() {
    return switch (kind) {
      case INT64, STRING, BYTES, BOOL, DATE, TIMESTAMP -> true;
      case COMMIT_TIMESTAMP, FLOAT64, NUMERIC, JSON -> false;
    };
  }

  boolean canBeKey() {
    return kind != Kind.JSON;
  }

  boolean canBeKey(Dialect dialect) {
    return canBeKey() && !(dialect == Dialect.POSTGRESQL && kind == Kind.NUMERIC);
  }

  /** The type's name in GoogleSQL. */
  @Override
  public String toString() {
    return toDdl(Dialect.GOOGLE_STANDARD_SQL) + options(Dialect.GOOGLE_STANDARD_SQL);
  }
}
