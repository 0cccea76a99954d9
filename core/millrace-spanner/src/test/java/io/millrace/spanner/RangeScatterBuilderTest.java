package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.google.cloud.Timestamp;
import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeyRange;
import com.google.cloud.spanner.TimestampBound;
import java.lang.reflect.Proxy;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RangeScatterBuilderTest {

  private final DatabaseClient client =
      (DatabaseClient)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {DatabaseClient.class},
              (proxy, method, arguments) -> {
                throw new AssertionError("nothing may be asked of the database: " + method);
              });

  private RangeScatterBuilder builder() {
    return RangeScatter.builder(client, "Log");
  }

  private RangeScatter valid() {
    return builder().shards(LongStream.range(0, 4)).key("a").keyDescending("b").build();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1a", "a b", "a`b", "a-b", "a.b.c"})
  void whatIsNoIdentifierIsRefusedWithTheValue(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RangeScatter.builder(client, name))
        .withMessageContaining("the table")
        .withMessageContaining("'" + name + "'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().key("a", name))
        .withMessageContaining("'" + name + "'");
    assertThatIllegalArgumentException().isThrownBy(() -> builder().keyDescending(name));
    assertThatIllegalArgumentException().isThrownBy(() -> builder().columns(name));
  }

  @Test
  void thereMustBeShardsAndNoneTwice() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().shards(LongStream.empty()))
        .withMessage("there must be at least 1 shard, was none");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().key("a").build())
        .withMessageContaining("shard");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().shards(LongStream.of(3, -1, 3)))
        .withMessage("the shards must differ, 3 occurs twice");
  }

  @Test
  void thereMustBeKeyColumnsAndNoColumnTwice() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().shards(LongStream.of(1)).build())
        .withMessage("there must be at least 1 key column, was none");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().key("a").keyDescending("a"))
        .withMessageContaining("'a' occurs twice");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().columns("a", "b", "a"))
        .withMessageContaining("'a' occurs twice");
  }

  @Test
  void sizesBelowOneAreRefusedWithTheValue() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().pageSize(0))
        .withMessage("pageSize must be at least 1, was 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().concurrency(-1))
        .withMessage("concurrency must be at least 1, was -1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> valid().rows(KeyRange.prefix(Key.of()), 0))
        .withMessage("limit must be at least 1, was 0");
  }

  @Test
  void aBoundThatLetsEachShardChooseIsRefused() {
    Timestamp then = Timestamp.ofTimeSecondsAndNanos(1, 0);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> builder().timestampBound(TimestampBound.ofMaxStaleness(1, TimeUnit.SECONDS)))
        .withMessageContaining("max_staleness");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().timestampBound(TimestampBound.ofMinReadTimestamp(then)));
  }

  @Test
  void aKeyOfMorePartsThanColumnsIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> valid().rows(KeyRange.prefix(Key.of(1, 2, 3))))
        .withMessageContaining("at most 2 parts, (a, b DESC), had 3");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> valid().rows(KeyRange.closedOpen(Key.of(1), Key.of(1, 2, 3))))
        .withMessageContaining("the end of a range");
  }

  @Test
  void anOpenEndWithoutPartsIsRefusedBecauseItLeavesOutEverything() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> valid().rows(KeyRange.openClosed(Key.of(), Key.of(1))))
        .withMessageContaining("the start of a range");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> valid().rows(KeyRange.closedOpen(Key.of(1), Key.of())))
        .withMessageContaining("the end of a range");
  }

  @Test
  @SuppressWarnings("NullAway")
  void nullsAreRefusedByName() {
    assertThatNullPointerException()
        .isThrownBy(() -> RangeScatter.builder(null, "Log"))
        .withMessage("client");
    assertThatNullPointerException()
        .isThrownBy(() -> builder().timestampBound(null))
        .withMessage("bound");
    assertThatNullPointerException().isThrownBy(() -> valid().rows(null)).withMessage("range");
  }

  @Test
  void nothingIsSentBeforeSubscription() {
    assertThat(valid().rows()).isNotNull();
    assertThat(valid()).hasToString("RangeScatter[Log, 4 shards, (a, b DESC)]");
  }
}
