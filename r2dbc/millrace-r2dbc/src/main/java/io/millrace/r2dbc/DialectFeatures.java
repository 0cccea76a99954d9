package io.millrace.r2dbc;

import org.jspecify.annotations.Nullable;

/** What this module uses of a database and its driver, where it knows them. */
interface DialectFeatures {

  DialectFeatures NONE = new DialectFeatures() {};

  static DialectFeatures of(R2dbcDialect dialect) {
    return dialect instanceof DialectFeatures features ? features : NONE;
  }

  /** Whether the driver may keep a prepared statement for each SQL text, without a limit. */
  default boolean keepsStatements() {
    return true;
  }

  /**
   * Whether autocommit is switched on before the first use of a connection. r2dbc-mysql reports it
   * from the server's greeting, which does not tell whether {@code autocommit=0} is the default.
   */
  default boolean setsAutocommit() {
    return false;
  }

  /** Whether a connection remembers the value of {@link #remembered}, across statements. */
  default boolean remembersUpdate() {
    return false;
  }

  /**
   * A statement after which the next one sees only what is committed, in any session; null if every
   * statement does.
   */
  default @Nullable String readCommitted() {
    return null;
  }

  /** An insert that changes nothing if the row exists, where a duplicate ends a transaction. */
  default String ignoringDuplicates(String insert) {
    return insert;
  }

  /**
   * An insert in autocommit that fails unless it writes all rows; null if a plain one always writes
   * all rows or fails.
   *
   * @param rows the marker of the number of rows
   */
  default @Nullable String insertAll(String insert, String rows) {
    return null;
  }

  /** How one statement moves a counter and writes rows; null if it takes a transaction. */
  default @Nullable MoveAndInsert moveAndInsert() {
    return null;
  }

  /** The values that rows may be sent with as arrays, to be read by {@code unnest}. */
  default ArrayTypes arrayTypes() {
    return ArrayTypes.NONE;
  }

  /** The statements on sequences of the database itself; null if it has none. */
  default @Nullable NativeSequenceSql nativeSequences() {
    return null;
  }

  /**
   * The value of an expression, which the connection remembers. Without the cast it has no sign.
   */
  static String remembered(String expression) {
    return "CAST(LAST_INSERT_ID(" + expression + ") AS SIGNED)";
  }

  /** A query for the value that the connection remembers. */
  static String remembered() {
    return "SELECT CAST(LAST_INSERT_ID() AS SIGNED)";
  }
}
