package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeyRange;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.SpannerExceptionFactory;
import com.google.cloud.spanner.Struct;
import com.google.cloud.spanner.TimestampBound;
import io.millrace.spanner.TableInMemory.Read;
import io.millrace.spanner.TableInMemory.Row;
import io.millrace.spanner.ddl.KeyColumn;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class ShardPagesTest {

  private static final TimestampBound AT = TimestampBound.ofReadTimestamp(TableInMemory.NOW);
  private static final KeyRange EVERYTHING = KeyRange.prefix(Key.of());
  private static final List<String> COLUMNS = List.of("shard", "a", "b");

  private final TableInMemory table = new TableInMemory();
  private KeyOrder order = order("a", "b");

  private static KeyOrder order(String... columns) {
    return new KeyOrder(List.of(columns).stream().map(name -> new KeyColumn(name, false)).toList());
  }

  private ShardPages pages(KeyRange range) {
    return new ShardPages(table.client(), "log", List.of(7L, 5L), order, COLUMNS, range, AT);
  }

  /** Rows of shard 5, with a from 1 to the count. */
  private void rows(long count) {
    LongStream.rangeClosed(1, count).forEach(a -> table.rows.add(new Row(5, a, 0)));
  }

  private KeyedRow keyed(long a, long b) {
    return order.keyed(
        Struct.newBuilder().set("shard").to(5).set("a").to(a).set("b").to(b).build());
  }

  private static List<Row> read(Mono<List<KeyedRow>> page) {
    return Objects.requireNonNull(page.block()).stream().map(row -> Row.of(row.row())).toList();
  }

  private static void isRefused(Mono<List<KeyedRow>> page, String why) {
    StepVerifier.create(page)
        .verifyErrorSatisfies(
            failure ->
                assertThat(failure).isInstanceOf(IllegalStateException.class).hasMessage(why));
  }

  @Test
  void theFirstPageAsksForItsSizeWithinTheShardsPartOfTheRange() {
    rows(4);
    table.rows.add(new Row(7, 1, 0));
    KeyRange range = KeyRange.openClosed(Key.of(1), Key.of(9, 9));
    assertThat(read(pages(range).read(1, null, 2)))
        .containsExactly(new Row(5, 2, 0), new Row(5, 3, 0));
    assertThat(table.reads)
        .containsExactly(
            new Read(
                AT,
                "log",
                KeyRange.openClosed(Key.of(5L, 1L), Key.of(5L, 9L, 9L)),
                COLUMNS,
                "limit: 2"));
  }

  @Test
  void aLaterPageStartsAtTheLastRowWhichItLeavesOut() {
    rows(6);
    KeyRange range = KeyRange.openOpen(Key.of(1), Key.of(6));
    assertThat(read(pages(range).read(1, keyed(2, 0), 2)))
        .containsExactly(new Row(5, 3, 0), new Row(5, 4, 0));
    assertThat(read(pages(range).read(1, keyed(5, 0), 2))).isEmpty();
    assertThat(table.reads)
        .extracting(Read::range)
        .containsExactly(
            KeyRange.closedOpen(Key.of(5L, 2L, 0L), Key.of(5L, 6L)),
            KeyRange.closedOpen(Key.of(5L, 5L, 0L), Key.of(5L, 6L)));
    assertThat(table.reads).extracting(Read::options).containsOnly("limit: 3");
  }

  @Test
  void rowsInAnotherOrderThanDescribedAreRefusedWithTheirPlaceAndNotTheirValues() {
    table.returnsRowsUnsorted();
    table.rows.addAll(List.of(new Row(5, 1, 0), new Row(5, 2, 0), new Row(5, 2, -1)));
    isRefused(
        pages(EVERYTHING).read(1, null, 10),
        "shard 5 of table log is not in the order (a, b): row 2 of a page does not follow: they"
            + " differ first in column 'b'; name every column of the primary key after the shard,"
            + " in its order and direction");
  }

  @Test
  void twoRowsOfOneKeyShowThatAColumnIsMissing() {
    order = order("a");
    table.rows.addAll(List.of(new Row(5, 1, 0), new Row(5, 1, 1)));
    isRefused(
        pages(EVERYTHING).read(1, null, 10),
        "shard 5 of table log is not in the order (a): row 1 of a page does not follow: the two"
            + " have the same key; name every column of the primary key after the shard, in its"
            + " order and direction");
  }

  @Test
  void aPageThatStartsAtAnotherRowIsRefused() {
    rows(6);
    isRefused(
        pages(EVERYTHING).read(1, keyed(3, -1), 2),
        "shard 5 of table log is not in the order (a, b): a page starts at the wrong row: they"
            + " differ first in column 'b'; name every column of the primary key after the shard,"
            + " in its order and direction");
    isRefused(
        pages(EVERYTHING).read(1, keyed(7, 0), 2),
        "shard 5 of table log is not in the order (a, b): a page does not contain the row"
            + " at which it should start; name every column of the primary key after the shard,"
            + " in its order and direction");
  }

  @Test
  void aReadWhoseRefusalWasLostIsSentAgainAndAnotherFailureIsNot() {
    rows(1);
    table.failWith(RowsByHand.lostRefusal());
    assertThat(read(pages(EVERYTHING).read(1, null, 2))).hasSize(1);
    assertThat(table.reads).hasSize(2);

    SpannerException refused =
        SpannerExceptionFactory.newSpannerException(ErrorCode.NOT_FOUND, "no such table");
    table.failWith(refused);
    StepVerifier.create(pages(EVERYTHING).read(1, null, 2))
        .verifyErrorSatisfies(failure -> assertThat(failure).isSameAs(refused));
    assertThat(table.reads).hasSize(3);
  }
}
