package io.millrace.keys;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeySet;
import io.millrace.key.RandomUuids;
import io.millrace.spanner.SpannerInserts;
import io.millrace.spanner.SpannerKeys;
import java.util.UUID;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A key that is a random UUID, version 4. The client generates it, so it knows the key at once. */
final class UuidLog {

  /**
   * A row.
   *
   * @param id its key
   * @param access the access
   */
  record Row(UUID id, Access access) {}

  private final DatabaseClient client;
  private final UuidColumns columns;
  private final RandomUuids uuids;
  private final String name;

  UuidLog(DatabaseClient client, UuidColumns columns, RandomUuids uuids) {
    this.client = client;
    this.columns = columns;
    this.uuids = uuids;
    this.name = columns.table();
  }

  Function<Flux<Access>, Flux<Row>> insert() {
    return accesses ->
        accesses
            .transform(uuids.assign((access, id) -> new Row(id, access)))
            .transform(
                SpannerInserts.<Row>into(
                        client,
                        name,
                        (row, write) -> {
                          columns.write(row.id(), write);
                          row.access().writeTo(write);
                        })
                    .rows());
  }

  /** Finds the row of an id. */
  Mono<Access> find(UUID id) {
    Key key = SpannerKeys.toKey(columns.key(), id);
    return Rows.of(() -> client.singleUse().read(name, KeySet.singleKey(key), Access.COLUMNS))
        .map(Access::of)
        .singleOrEmpty();
  }
}
