package io.millrace.keys;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Struct;
import io.millrace.key.Salt;
import io.millrace.spanner.SpannerInserts;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import reactor.core.publisher.Flux;

/**
 * {@code [userid][orderid][random]}: one order receives very many rows at a time. Each row goes to
 * a random place among the rows of its order instead of after the last one. The salt also makes the
 * key unique: with 100 salts an order could have at most 100 rows, so this log has 2147483648.
 */
final class SaltedOrderLog {

  static final String NAME = "salted_order_log";
  static final long SALTS = 1L << 31;

  /**
   * A row.
   *
   * @param salt the random part of its key
   * @param event the event
   */
  record Row(long salt, OrderEvent event) {}

  private final DatabaseClient client;
  private final Salt salt;

  SaltedOrderLog(DatabaseClient client, Salt salt) {
    this.client = client;
    this.salt = salt;
  }

  static SaltedOrderLog create(DatabaseClient client) {
    return new SaltedOrderLog(client, Salt.below(SALTS));
  }

  Function<Flux<OrderEvent>, Flux<Row>> insert() {
    return events ->
        events
            .transform(salt.assign((event, salted) -> new Row(salted, event)))
            .transform(SpannerInserts.into(client, NAME, SaltedOrderLog::write).rows());
  }

  private static void write(Row row, Mutation.WriteBuilder write) {
    write.set("user_id").to(row.event().user());
    write.set("order_id").to(row.event().order());
    write.set("salt").to(row.salt());
    write.set("happened_at").to(Times.timestamp(row.event().at()));
    write.set("note").to(row.event().note());
  }

  /** The events of an order. They are sorted here, because the rows are in order of their salts. */
  Flux<OrderEvent> of(String user, long order) {
    return Rows.of(
            () ->
                client
                    .singleUse()
                    .read(
                        NAME,
                        KeySet.prefixRange(Key.of(user, order)),
                        List.of("user_id", "order_id", "happened_at", "note")))
        .map(SaltedOrderLog::event)
        .sort(Comparator.comparing(OrderEvent::at));
  }

  private static OrderEvent event(Struct row) {
    return new OrderEvent(
        row.getString("user_id"),
        row.getLong("order_id"),
        Times.instant(row.getTimestamp("happened_at")),
        row.getString("note"));
  }
}
