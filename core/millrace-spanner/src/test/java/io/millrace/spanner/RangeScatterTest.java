package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeyRange;
import com.google.cloud.spanner.Struct;
import com.google.cloud.spanner.TimestampBound;
import io.millrace.spanner.TableInMemory.Read;
import io.millrace.spanner.TableInMemory.Row;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;

/** Ranges of a table in memory; what Spanner makes of the reads is for other tests. */
class RangeScatterTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final KeyRange EVERYTHING = KeyRange.prefix(Key.of());

  private final TableInMemory table = new TableInMemory();

  private RangeScatterBuilder reader(int shards) {
    return RangeScatter.builder(table.client(), "log")
        .shards(LongStream.range(0, shards))
        .key("a", "b")
        .columns("shard");
  }

  private static List<Row> all(Flux<Struct> rows) {
    return Objects.requireNonNull(rows.map(Row::of).collectList().block(LIMIT));
  }

  /** The rows that a limit without a page size asks each shard for at first. */
  private long defaultPage(int shards, long limit) {
    assertThat(all(reader(shards).build().rows(EVERYTHING, limit))).isEmpty();
    List<String> pages = table.reads.stream().map(Read::options).distinct().toList();
    table.reads.clear();
    return Long.parseLong(pages.get(0).replace("limit: ", ""));
  }

  @Test
  void theRowsOfAllShardsComeInTheOrderOfTheKeyAfterTheShard() {
    for (int i = 0; i < 60; i++) {
      table.rows.add(new Row(i % 4, i / 6, i));
    }
    List<Row> inOrder =
        table.rows.stream().sorted(Comparator.comparingLong(Row::a).thenComparing(Row::b)).toList();
    RangeScatter scatter = reader(4).pageSize(3).concurrency(2).build();
    assertThat(all(scatter.rows())).isEqualTo(inOrder);
    assertThat(all(scatter.rows(EVERYTHING, 1))).isEqualTo(inOrder.subList(0, 1));
    assertThat(all(scatter.rows(KeyRange.closedOpen(Key.of(2), Key.of(4)))))
        .isEqualTo(inOrder.subList(12, 24));
    assertThat(all(scatter.rows(KeyRange.openClosed(Key.of(2, 12), Key.of(4, 24)))))
        .as("keys of all columns")
        .isEqualTo(inOrder.subList(13, 25));
    assertThat(all(scatter.rows(KeyRange.openOpen(Key.of(2), Key.of(4)))))
        .isEqualTo(inOrder.subList(18, 24));
  }

  @Test
  void allPagesAreReadAtTheTimestampThatOneQueryFixes() {
    LongStream.range(0, 20).forEach(i -> table.rows.add(new Row(0, i, 0)));
    TimestampBound stale = TimestampBound.ofExactStaleness(3, TimeUnit.SECONDS);
    RangeScatter scatter = reader(2).pageSize(4).timestampBound(stale).build();
    assertThat(all(scatter.rows())).hasSize(20);
    assertThat(table.queries).containsExactly(stale);
    assertThat(table.reads)
        .hasSizeGreaterThan(4)
        .extracting(Read::at)
        .containsOnly(TimestampBound.ofReadTimestamp(TableInMemory.NOW));
  }

  @ParameterizedTest(name = "{0} shards, limit {1}: pages of {2}")
  @CsvSource({
    // at most 1 000
    "1, 9223372036854775807, 1000",
    "65, 9223372036854775807, 1000",
    // 65 536 over all shards
    "66, 9223372036854775807, 992",
    "128, 9223372036854775807, 512",
    // at least 16
    "4096, 9223372036854775807, 16",
    "8192, 9223372036854775807, 16",
    // twice a shard's even part of the limit, and 8 more
    "64, 6400, 210",
    "64, 640, 30",
    "16, 800, 110",
    "4096, 4096, 12",
    // no more than the limit
    "64, 3, 3",
    "1, 9, 9",
  })
  void thePageSizeFollowsFromTheShardsAndTheLimit(int shards, long limit, long page) {
    assertThat(defaultPage(shards, limit)).isEqualTo(page);
  }

  @Test
  void aPageSizeThatWasChosenIsUsed() {
    assertThat(all(reader(3).pageSize(1).build().rows())).isEmpty();
    assertThat(all(reader(3).pageSize(5_000).build().rows())).isEmpty();
    assertThat(table.reads)
        .extracting(Read::options)
        .containsExactly(
            "limit: 1", "limit: 1", "limit: 1", "limit: 5000", "limit: 5000", "limit: 5000");
  }

  @Test
  void theColumnsAreThoseAskedForAndThenTheKeys() {
    all(reader(1).build().rows());
    all(reader(1).columns().build().rows());
    all(reader(1).columns("note", "b").build().rows());
    assertThat(table.reads)
        .extracting(Read::columns)
        .containsExactly(List.of("shard", "a", "b"), List.of("a", "b"), List.of("note", "b", "a"));
  }

  @Test
  void aSecondSubscriptionReadsAgain() {
    Flux<Struct> rows = reader(1).build().rows();
    assertThat(all(rows)).isEmpty();
    table.rows.add(new Row(0, 1, 1));
    assertThat(all(rows)).hasSize(1);
    assertThat(table.queries).hasSize(2);
  }
}
