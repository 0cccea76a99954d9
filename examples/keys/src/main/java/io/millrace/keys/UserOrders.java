package io.millrace.keys;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Struct;
import io.millrace.key.CompositeKey;
import io.millrace.key.HashPrefix;
import io.millrace.key.KeyCodec;
import io.millrace.key.ReversedString;
import io.millrace.spanner.SpannerInserts;
import io.millrace.spanner.SpannerKeys;
import java.util.List;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * {@code [userid][orderid]} for ascending user ids with a common prefix. To spread the rows, the
 * key contains a transformed id, from which the id can be recovered: {@code
 * [md5(userid)[0,4]][userid][orderid]} or {@code [reverse(userid)][orderid]}.
 */
final class UserOrders {

  static final KeyCodec<String, String> HASHED = HashPrefix.md5(4);
  static final KeyCodec<String, String> REVERSED = ReversedString.BY_CODE_POINT;

  private static final List<String> COLUMNS = List.of("user_key", "order_id", "note");

  private final DatabaseClient client;
  private final String name;
  private final KeyCodec<String, String> userKey;
  private final CompositeKey<UserOrder> key;

  UserOrders(DatabaseClient client, String name, KeyCodec<String, String> userKey) {
    this.client = client;
    this.name = name;
    this.userKey = userKey;
    this.key =
        CompositeKey.<UserOrder>builder()
            .part("user_key", order -> userKey.apply(order.user()))
            .part("order_id", UserOrder::order)
            .build();
  }

  Function<Flux<UserOrder>, Flux<UserOrder>> insert() {
    return SpannerInserts.<UserOrder>into(
            client,
            name,
            (order, row) -> {
              row.set("user_key").to(userKey.apply(order.user()));
              row.set("order_id").to(order.order());
              row.set("note").to(order.note());
            })
        .rows();
  }

  /** All orders of a user, in the order of their ids: one range. */
  Flux<UserOrder> of(String user) {
    return read(KeySet.prefixRange(Key.of(userKey.apply(user))));
  }

  Mono<UserOrder> find(String user, long order) {
    Key row = SpannerKeys.toKey(key, new UserOrder(user, order, ""));
    return read(KeySet.singleKey(row)).singleOrEmpty();
  }

  private Flux<UserOrder> read(KeySet rows) {
    return Rows.of(() -> client.singleUse().read(name, rows, COLUMNS)).map(this::order);
  }

  private UserOrder order(Struct row) {
    return new UserOrder(
        userKey.decode(row.getString("user_key")), row.getLong("order_id"), row.getString("note"));
  }
}
