package io.millrace.keys;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Statement;
import com.google.cloud.spanner.Struct;
import io.millrace.spanner.SpannerInserts;
import io.millrace.spanner.SpannerTransactions;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A key that the server generates, as the column's default: a random UUID, or the next value of a
 * bit-reversed sequence. Mutations do not return the key; DML can return it.
 *
 * @param <K> the type of the key
 */
final class ServerKeyLog<K> {

  private final DatabaseClient client;
  private final Dialect dialect;
  private final String name;
  private final Function<Struct, K> id;

  private ServerKeyLog(
      DatabaseClient client, Dialect dialect, String name, Function<Struct, K> id) {
    this.client = client;
    this.dialect = dialect;
    this.name = name;
    this.id = id;
  }

  static ServerKeyLog<String> uuid(DatabaseClient client, Dialect dialect) {
    return new ServerKeyLog<>(client, dialect, "server_uuid_log", row -> row.getString(0));
  }

  static ServerKeyLog<Long> sequence(DatabaseClient client, Dialect dialect) {
    return new ServerKeyLog<>(client, dialect, "server_sequence_log", row -> row.getLong(0));
  }

  Function<Flux<Access>, Flux<Access>> insert() {
    return SpannerInserts.into(client, name, Access::writeTo).rows();
  }

  /** Writes one row, and returns its key. */
  Mono<K> add(Access access) {
    Statement insert =
        Statement.newBuilder(
                "INSERT INTO "
                    + name
                    + (dialect == Dialect.POSTGRESQL
                        ? " (user_id, last_access, page) VALUES ($1, $2, $3) RETURNING access_id"
                        : " (user_id, last_access, page) VALUES (@p1, @p2, @p3)"
                            + " THEN RETURN access_id"))
            .bind("p1")
            .to(access.user())
            .bind("p2")
            .to(Times.timestamp(access.at()))
            .bind("p3")
            .to(access.page())
            .build();
    return SpannerTransactions.readWrite(client, tx -> tx.query(insert).map(id).single());
  }

  /** Finds the row of a key. */
  Mono<Access> find(K key) {
    KeySet row = KeySet.singleKey(Key.of(key));
    return Rows.of(() -> client.singleUse().read(name, row, Access.COLUMNS))
        .map(Access::of)
        .singleOrEmpty();
  }
}
