package io.millrace.spanner.ddl;

import com.google.cloud.spanner.Dialect;
import io.millrace.spanner.internal.Identifiers;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The source of a shard column: the hash of other columns, modulo the number of shards.
 *
 * <p>One column is hashed as its bytes, or as the UTF-8 of its text. Several columns are hashed as
 * netstrings, {@code <length in bytes>:<text>,}, one after the other, so that different rows never
 * give the same text. They are concatenated as text if all columns have one, and as bytes if one of
 * them has the type of bytes, which need not be text.
 *
 * @param shards the divisor
 * @param signed whether the result has the sign of the hash, as MOD leaves it
 * @param columns what to hash
 */
record ShardExpression(long shards, boolean signed, List<Column> columns) implements Column.Source {

  @Override
  public String toDdl(Dialect dialect) {
    boolean postgreSql = dialect == Dialect.POSTGRESQL;
    String hash =
        (postgreSql ? "spanner.farm_fingerprint(" : "FARM_FINGERPRINT(") + hashed(dialect) + ")";
    String mod = "MOD(" + hash + ", " + shards + ")";
    String shard = signed ? mod : "MOD(" + mod + " + " + shards + ", " + shards + ")";
    return (postgreSql ? " GENERATED ALWAYS AS (" : " AS (") + shard + ") STORED";
  }

  private String hashed(Dialect dialect) {
    if (columns.size() == 1) {
      Column column = columns.get(0);
      return column.type().isBytes()
          ? Identifiers.quote(dialect, column.name())
          : text(dialect, column);
    }
    List<String> pieces = columns.stream().flatMap(column -> netstring(dialect, column)).toList();
    return dialect == Dialect.POSTGRESQL
        ? joined(pieces)
        : pieces.stream().collect(Collectors.joining(", ", "CONCAT(", ")"));
  }

  /**
   * Joins pieces with PostgreSQL's operator, as a balanced tree: Spanner refuses an expression more
   * than 20 deep, and a chain of four columns would be that deep.
   */
  private static String joined(List<String> pieces) {
    int half = pieces.size() / 2;
    return operand(pieces.subList(0, half)) + " || " + operand(pieces.subList(half, pieces.size()));
  }

  private static String operand(List<String> pieces) {
    return pieces.size() == 1 ? pieces.get(0) : "(" + joined(pieces) + ")";
  }

  private Stream<String> netstring(Dialect dialect, Column column) {
    String value =
        column.type().isBytes()
            ? Identifiers.quote(dialect, column.name())
            : piece(dialect, text(dialect, column));
    return Stream.of(
        piece(dialect, castToText(dialect, lengthInBytes(dialect, value))),
        piece(dialect, "':'"),
        value,
        piece(dialect, "','"));
  }

  private static String text(Dialect dialect, Column column) {
    String name = Identifiers.quote(dialect, column.name());
    return column.type().isText() ? name : castToText(dialect, name);
  }

  private String piece(Dialect dialect, String text) {
    return bytewise() ? castToBytes(dialect, text) : text;
  }

  private boolean bytewise() {
    return columns.stream().anyMatch(column -> column.type().isBytes());
  }

  /** Spanner lacks PostgreSQL's octet_length, but has its length of bytes. */
  private String lengthInBytes(Dialect dialect, String value) {
    if (dialect != Dialect.POSTGRESQL) {
      return "BYTE_LENGTH(" + value + ")";
    }
    return "LENGTH(" + (bytewise() ? value : castToBytes(dialect, value)) + ")";
  }

  private static String castToText(Dialect dialect, String value) {
    return "CAST(" + value + " AS " + (dialect == Dialect.POSTGRESQL ? "varchar" : "STRING") + ")";
  }

  private static String castToBytes(Dialect dialect, String text) {
    return "CAST(" + text + " AS " + (dialect == Dialect.POSTGRESQL ? "bytea" : "BYTES") + ")";
  }
}
