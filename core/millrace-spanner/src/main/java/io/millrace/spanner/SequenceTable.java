package io.millrace.spanner;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Options;
import com.google.cloud.spanner.Options.RpcLockHint;
import com.google.cloud.spanner.Struct;
import com.google.cloud.spanner.Type;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceStoreException;
import io.millrace.internal.LogSafe;
import io.millrace.internal.StoreArguments;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The table that holds the counters, one row for each sequence: how the counters are read, written
 * and created. The names are checked with {@link Identifiers}.
 *
 * @param name the table
 * @param nameColumn the key column, holding the sequence's name
 * @param valueColumn the column holding the next value
 * @param nameLength how many characters a sequence's name may have
 */
record SequenceTable(String name, String nameColumn, String valueColumn, int nameLength) {

  /** What a counter adds to a commit at most: the key and the value, inserted and updated. */
  static final int CELLS_OF_COUNTER = 4;

  private static final int MAX_TAG = 50;

  private static final Pattern UNPRINTABLE = Pattern.compile("[^!-~]");

  /** The statement that creates the table. */
  String ddl(Dialect dialect, boolean ifAbsent) {
    String create =
        "CREATE TABLE " + (ifAbsent ? "IF NOT EXISTS " : "") + Identifiers.quote(dialect, name);
    String key = Identifiers.quote(dialect, nameColumn);
    String value = Identifiers.quote(dialect, valueColumn);
    return dialect == Dialect.POSTGRESQL
        ? create
            + (" (" + key + " varchar(" + nameLength + ") NOT NULL, ")
            + (value + " bigint NOT NULL, PRIMARY KEY (" + key + "))")
        : create
            + (" (" + key + " STRING(" + nameLength + ") NOT NULL, ")
            + (value + " INT64 NOT NULL) PRIMARY KEY (" + key + ")");
  }

  /** The statement that creates a sequence's counter. */
  String insert(Dialect dialect, String sequence) {
    return "INSERT INTO "
        + Identifiers.quote(dialect, name)
        + (" (" + Identifiers.quote(dialect, nameColumn))
        + (", " + Identifiers.quote(dialect, valueColumn))
        + (") VALUES (" + literal(dialect, sequence) + ", 1)");
  }

  /** The text as a literal. In PostgreSQL, only literals that begin with E have escapes. */
  private static String literal(Dialect dialect, String text) {
    boolean postgreSql = dialect == Dialect.POSTGRESQL;
    boolean escapes = !postgreSql || !text.codePoints().allMatch(LogSafe::isPlain);
    StringBuilder literal = new StringBuilder(postgreSql && escapes ? "E'" : "'");
    text.codePoints()
        .forEach(
            character -> {
              if (character == '\'') {
                literal.append(postgreSql ? "''" : "\\'");
              } else if (character == '\\' && escapes) {
                literal.append("\\\\");
              } else if (postgreSql && !LogSafe.isPlain(character)) {
                for (byte each : Character.toString(character).getBytes(UTF_8)) {
                  literal.append("\\x").append(HexFormat.of().toHexDigits(each));
                }
              } else {
                LogSafe.append(literal, character);
              }
            });
    return literal.append("'").toString();
  }

  /** Returns the name if the name column can hold it. */
  String checkSequence(String sequence) {
    return StoreArguments.checkName(sequence, nameLength);
  }

  /**
   * Reads a sequence's next value and takes the lock that the commit will need. So transactions
   * that contend for the counter queue, and do not abort each other.
   *
   * @return empty if there is no such counter
   */
  Mono<Long> readForUpdate(SpannerTransaction transaction, String sequence) {
    return transaction
        .readRow(
            name,
            Key.of(sequence),
            columns(),
            Options.lockHint(RpcLockHint.EXCLUSIVE),
            Options.tag(tag(sequence)))
        .map(row -> value(sequence, row, 0));
  }

  /** Reads the next values of several sequences by name, with one request and the same locks. */
  Mono<Map<String, Long>> readForUpdate(
      SpannerTransaction transaction, Collection<String> sequences) {
    KeySet.Builder keys = KeySet.newBuilder();
    sequences.forEach(sequence -> keys.addKey(Key.of(sequence)));
    return transaction
        .read(
            name,
            keys.build(),
            List.of(nameColumn, valueColumn),
            Options.lockHint(RpcLockHint.EXCLUSIVE),
            Options.tag("sequences=" + sequences.size()))
        .collectMap(row -> row.getString(0), row -> value(row.getString(0), row, 1));
  }

  List<String> columns() {
    return List.of(valueColumn);
  }

  /**
   * Returns the next value in a row.
   *
   * @throws SequenceStoreException if the column of the user's table has another type
   */
  long value(String sequence, Struct row, int column) {
    if (row.getColumnType(column).getCode() != Type.Code.INT64) {
      throw new SequenceStoreException(
          sequence,
          "cannot use the value "
              + LogSafe.quote(row.getValue(column).toString())
              + " in column "
              + LogSafe.name(valueColumn)
              + " of table "
              + LogSafe.name(name)
              + ": a counter is a whole number of 64 bits, in a column of type INT64 or bigint",
          null);
    }
    return row.getLong(column);
  }

  Mutation update(String sequence, long nextValue) {
    return write(Mutation.newUpdateBuilder(name), sequence, nextValue);
  }

  Mutation insert(String sequence, long nextValue) {
    return write(Mutation.newInsertBuilder(name), sequence, nextValue);
  }

  private Mutation write(Mutation.WriteBuilder builder, String sequence, long nextValue) {
    return builder.set(nameColumn).to(sequence).set(valueColumn).to(nextValue).build();
  }

  /** The tag of requests for a sequence: printable ASCII, at most 50 characters. */
  static String tag(String sequence) {
    String tag = "sequence=" + UNPRINTABLE.matcher(sequence).replaceAll("_");
    return tag.length() <= MAX_TAG ? tag : tag.substring(0, MAX_TAG);
  }

  SequenceNotFoundException noCounter(Dialect dialect, String sequence) {
    return new SequenceNotFoundException(
        sequence, "table " + name, insert(dialect, sequence) + " (or call create)", null);
  }

  SequenceNotFoundException noTable(Dialect dialect, String sequence, @Nullable Throwable cause) {
    return new SequenceNotFoundException(
        sequence,
        "table " + name + ", which does not exist",
        ddl(dialect, false)
            + "; "
            + insert(dialect, sequence)
            + " (or call createTable, and then create)",
        cause);
  }
}
