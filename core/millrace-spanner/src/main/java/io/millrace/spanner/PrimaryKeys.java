package io.millrace.spanner;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Statement;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import reactor.core.publisher.Mono;

/** The primary keys of a database's tables, looked up when they are first needed, and kept. */
final class PrimaryKeys {

  private final DatabaseClient client;
  private final ConcurrentMap<String, List<String>> known = new ConcurrentHashMap<>();

  PrimaryKeys(DatabaseClient client) {
    this.client = client;
  }

  /**
   * The columns of a table's key, in order.
   *
   * @return empty if there is no such table. Error: {@link IllegalArgumentException} if no table
   *     can have that name
   */
  Mono<List<String>> columnsOf(String table) {
    return Mono.defer(
        () -> {
          List<String> columns = known.get(Identifiers.table("the table", table));
          return columns != null
              ? Mono.just(columns)
              : lookUp(table).doOnNext(found -> known.put(table, found));
        });
  }

  /** One statement for both dialects. */
  private Mono<List<String>> lookUp(String table) {
    int dot = table.indexOf('.');
    String schema = dot < 0 ? "'', 'public'" : text(table.substring(0, dot));
    Statement statement =
        Statement.of(
            "SELECT column_name FROM information_schema.index_columns"
                + " WHERE index_type = 'PRIMARY_KEY' AND lower(table_schema) IN ("
                + schema
                + ") AND lower(table_name) = "
                + text(table.substring(dot + 1))
                + " ORDER BY ordinal_position");
    return ClientRequest.read(client, once -> once.executeQueryAsync(statement))
        .filter(rows -> !rows.isEmpty())
        .map(rows -> rows.stream().map(row -> row.getString(0)).toList());
  }

  /** The name of an object in lower case, as a literal that both dialects read in the same way. */
  private static String text(String name) {
    return Identifiers.literal(Dialect.GOOGLE_STANDARD_SQL, name).toLowerCase(Locale.ROOT);
  }
}
