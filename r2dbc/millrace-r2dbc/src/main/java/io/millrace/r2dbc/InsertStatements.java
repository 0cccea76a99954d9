package io.millrace.r2dbc;

import io.millrace.insert.spi.GroupFailedException;
import io.millrace.internal.GuardedCall;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Writes rows with statements of several rows each: {@code INSERT INTO t (a, b) VALUES (?, ?), (?,
 * ?)}. Rows that set the same columns share statements.
 *
 * <p>Drivers keep a prepared statement for each SQL text, so the number of texts is small. Full
 * statements have as many rows as fit. The remaining rows are written by statements whose numbers
 * of rows are powers of two.
 *
 * @param table the quoted table
 */
record InsertStatements(R2dbcDialect dialect, String table) {

  /**
   * A statement with more parameters is not faster, and the driver keeps a longer text. Each
   * database has its own limit, too.
   */
  private static final int MOST_PARAMETERS = 1_000;

  /** Writes the rows, one statement after the other. */
  <T> Mono<Void> write(Connection connection, List<PreparedInsert<T>> rows) {
    return Flux.fromIterable(statements(rows, dialect.maxParameters()))
        .concatMap(
            chunk -> GuardedCall.mono(() -> Results.completion(statement(connection, chunk))))
        .then();
  }

  /** Divides the rows among statements. */
  static <T> List<List<PreparedInsert<T>>> statements(
      List<PreparedInsert<T>> rows, int maxParameters) {
    Map<List<String>, List<PreparedInsert<T>>> byColumns = new LinkedHashMap<>();
    for (PreparedInsert<T> row : rows) {
      byColumns.computeIfAbsent(row.columns(), any -> new ArrayList<>()).add(row);
    }
    List<List<PreparedInsert<T>>> statements = new ArrayList<>();
    byColumns.forEach(
        (columns, same) -> {
          if (columns.size() > maxParameters) {
            throw new GroupFailedException(
                GroupFailedException.Kind.ROW_AT_FAULT,
                new IllegalArgumentException(
                    String.format(
                        "a row sets at most %d columns in this database, and this one sets %d",
                        maxParameters, columns.size())));
          }
          int most = Math.max(1, Math.min(maxParameters, MOST_PARAMETERS) / columns.size());
          for (int from = 0; from < same.size(); ) {
            int left = same.size() - from;
            int to = from + (left >= most ? most : Integer.highestOneBit(left));
            statements.add(same.subList(from, to));
            from = to;
          }
        });
    return statements;
  }

  /**
   * Creates a statement and binds its values. If the driver rejects a value, its row is at fault.
   */
  private <T> Statement statement(Connection connection, List<PreparedInsert<T>> rows) {
    Statement statement = connection.createStatement(text(rows.get(0).columns(), rows.size()));
    int index = 0;
    for (PreparedInsert<T> row : rows) {
      for (InsertValue value : row.values()) {
        try {
          bind(statement, index++, value);
        } catch (RuntimeException refused) {
          throw new GroupFailedException(GroupFailedException.Kind.ROW_AT_FAULT, refused);
        }
      }
    }
    return statement;
  }

  private void bind(Statement statement, int index, InsertValue value) {
    if (value.value() == null) {
      dialect.markers().bindNull(statement, index, value.type());
    } else {
      dialect.markers().bind(statement, index, value.bindable());
    }
  }

  private String text(List<String> columns, int rows) {
    StringJoiner names = new StringJoiner(", ", "INSERT INTO " + table + " (", ") VALUES ");
    columns.forEach(column -> names.add(dialect.quoteColumn(column)));
    StringBuilder text = new StringBuilder(names.toString());
    int parameter = 0;
    for (int row = 0; row < rows; row++) {
      text.append(row == 0 ? "(" : ", (");
      for (int column = 0; column < columns.size(); column++) {
        text.append(column == 0 ? "" : ", ").append(dialect.markers().marker(parameter++));
      }
      text.append(')');
    }
    return text.toString();
  }
}
