package io.millrace.keys;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.key.KeyCodec;
import io.millrace.key.Salt;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The designs of orders whose users count up. */
abstract class UserOrdersBehaviour extends DesignBehaviour {

  private static final int COUNT = 1_600;

  /** The id as it is. */
  private static final KeyCodec<String, String> PLAIN =
      new KeyCodec<>() {
        @Override
        public String apply(String user) {
          return user;
        }

        @Override
        public String decode(String value) {
          return value;
        }
      };

  private static String user(int i) {
    return "user-%06d".formatted(i);
  }

  /** Two orders of each user who has come before, and of each who comes now. */
  private static List<UserOrder> orders() {
    return IntStream.range(0, 2 * COUNT)
        .mapToObj(i -> new UserOrder(user(i / 2), i, (i < COUNT ? BEFORE : NOW) + i))
        .toList();
  }

  static Stream<Arguments> designs() {
    return Stream.of(
        Arguments.of("hashed_orders", UserOrders.HASHED),
        Arguments.of("reversed_orders", UserOrders.REVERSED));
  }

  @ParameterizedTest
  @MethodSource("designs")
  void aHashPrefixOrAReversedIdSpreadsNewUsersAndReadsTheOrdersOfOne(
      String name, KeyCodec<String, String> userKey) {
    UserOrders design = new UserOrders(client(), name, userKey);
    write(orders(), design.insert());
    assertThat(all(design.of(user(900)))).isEqualTo(orders().subList(1_800, 1_802));
    assertThat(design.find(user(900), 1_801).block()).isEqualTo(orders().get(1_801));
    assertThat(design.find(user(900), 1_802).block()).isNull();
    spread(name, "note", NOW).isInAllParts();
  }

  @Test
  void idsThatCountUpSendNewUsersToOnePart() {
    UserOrders design = new UserOrders(client(), "plain_orders", PLAIN);
    write(orders(), design.insert());
    spread("plain_orders", "note", NOW).isInOnePart();
  }

  @Test
  void hashPrefixesAreUniform() {
    Spread.over(
            IntStream.range(0, COUNT)
                .mapToObj(i -> Long.parseLong(UserOrders.HASHED.apply(user(i)).substring(0, 1), 16))
                .toList())
        .isUniform();
  }

  @Test
  void aSaltSpreadsTheManyRowsOfOneOrder() {
    Random random = new Random(5);
    SaltedOrderLog log =
        new SaltedOrderLog(client(), Salt.below(SaltedOrderLog.SALTS, () -> random));
    Instant start = Instant.parse("2026-03-08T12:00:00Z");
    List<OrderEvent> events =
        IntStream.range(0, 2 * COUNT)
            .mapToObj(
                i ->
                    new OrderEvent(
                        "user-1", 17, start.plusMillis(i), (i < COUNT ? BEFORE : NOW) + i))
            .toList();
    write(events.subList(0, COUNT), log.insert());
    List<SaltedOrderLog.Row> now = write(events.subList(COUNT, 2 * COUNT), log.insert());
    write(
        List.of(new OrderEvent("user-1", 18, start, "other order")),
        SaltedOrderLog.create(client()).insert());
    assertThat(all(log.of("user-1", 17))).isEqualTo(events);
    Spread.over(now.stream().map(row -> row.salt() * 16 / SaltedOrderLog.SALTS).toList())
        .isUniform();
    spread(SaltedOrderLog.NAME, "note", NOW).isInAllParts();
  }
}
