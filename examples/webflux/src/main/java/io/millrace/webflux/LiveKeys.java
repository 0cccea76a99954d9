package io.millrace.webflux;

import io.millrace.key.BitReversal;
import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Where the rows of the last orders are: those of clients, of imports and of the load. */
@Component
@ConditionalOnProperty("orders.live.enabled")
final class LiveKeys {

  private final KeySpread plain = KeySpread.plain();
  private final KeySpread reversed = KeySpread.reversed();
  private final KeySpread sharded = KeySpread.sharded();

  /**
   * The rows in each part of the key space.
   *
   * @param plain with the number as the key
   * @param reversed with its bits reversed, as the orders have it
   * @param sharded with a shard before the number
   */
  record Counts(List<Integer> plain, List<Integer> reversed, List<Integer> sharded) {}

  @EventListener
  void add(OrderStored order) {
    long number = BitReversal.PRESERVING_SIGN.applyAsLong(order.id());
    plain.add(number);
    reversed.add(number);
    sharded.add(number);
  }

  Counts counts() {
    return new Counts(plain.counts(), reversed.counts(), sharded.counts());
  }
}
