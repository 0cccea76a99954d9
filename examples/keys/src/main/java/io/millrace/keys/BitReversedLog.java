package io.millrace.keys;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeySet;
import io.millrace.Sequence;
import io.millrace.key.BitReversal;
import io.millrace.spanner.SpannerInserts;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A key that is an ascending number with its bits reversed: neighbours are half a key space apart.
 * People see the number. The key is derived from it, and the number from the key.
 */
final class BitReversedLog {

  static final String NAME = "numbered_access_log";

  /**
   * A row.
   *
   * @param number the visible number
   * @param access the access
   */
  record Row(long number, Access access) {}

  private final DatabaseClient client;

  BitReversedLog(DatabaseClient client) {
    this.client = client;
  }

  Function<Flux<Access>, Flux<Row>> insert(Sequence numbers) {
    return accesses ->
        accesses
            .transform(numbers.assign((access, number) -> new Row(number, access)))
            .transform(
                SpannerInserts.<Row>into(
                        client,
                        NAME,
                        (row, write) -> {
                          write.set("access_key").to(key(row.number()));
                          row.access().writeTo(write);
                        })
                    .rows());
  }

  private static long key(long number) {
    return BitReversal.PRESERVING_SIGN.applyAsLong(number);
  }

  /** Finds the row of a number. */
  Mono<Access> find(long number) {
    KeySet row = KeySet.singleKey(Key.of(key(number)));
    return Rows.of(() -> client.singleUse().read(NAME, row, Access.COLUMNS))
        .map(Access::of)
        .singleOrEmpty();
  }
}
