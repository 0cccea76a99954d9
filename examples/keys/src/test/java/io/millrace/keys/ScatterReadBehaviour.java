package io.millrace.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.spanner.ForwardingResultSet;
import com.google.cloud.spanner.ReadContext;
import com.google.cloud.spanner.ResultSet;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** A range of all shards as one {@code Flux}. */
abstract class ScatterReadBehaviour extends DesignBehaviour {

  private static final int SHARDS = Math.toIntExact(ClientShardLog.SHARDS.count());
  private static final Instant START = Instant.parse("2026-03-09T12:00:00Z");

  private AtomicInteger rowsRead = new AtomicInteger();
  private CountDownLatch readsOpened = new CountDownLatch(SHARDS);
  private CountDownLatch readsClosed = new CountDownLatch(SHARDS);

  @BeforeEach
  void countFromZero() {
    rowsRead = new AtomicInteger();
    readsOpened = new CountDownLatch(SHARDS);
    readsClosed = new CountDownLatch(SHARDS);
  }

  private static Access access(int second) {
    return new Access("user", START.plusSeconds(second), "page " + second);
  }

  private Flux<Access> between(Instant from, Instant to) {
    return ScatterRead.merged(
        client(),
        ClientShardLog.SHARDS.values(),
        (snapshot, shard) -> counted(read(snapshot, shard, from, to)),
        Access::of,
        Access.BY_TIME);
  }

  private static ResultSet read(ReadContext snapshot, long shard, Instant from, Instant to) {
    return snapshot.read(ClientShardLog.NAME, ScatterRead.between(shard, from, to), Access.COLUMNS);
  }

  private ResultSet counted(ResultSet rows) {
    readsOpened.countDown();
    return new ForwardingResultSet(rows) {
      @Override
      public boolean next() {
        boolean found = super.next();
        if (found) {
          rowsRead.incrementAndGet();
        }
        return found;
      }

      @Override
      public void close() {
        super.close();
        readsClosed.countDown();
      }
    };
  }

  @Test
  void shardsWithoutRowsDoNotHoldUpTheOthers() throws InterruptedException {
    List<Access> few = List.of(access(-5), access(-4), access(-3));
    write(few, new ClientShardLog(client()).insert());
    assertThat(all(between(START.minusSeconds(4), START))).isEqualTo(few.subList(1, 3));
    assertThat(readsClosed.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(all(between(START.minusSeconds(3_600), START.minusSeconds(60)))).isEmpty();
  }

  @Test
  void aReadThatFailsEndsAllReadsWithItsError() throws InterruptedException {
    Flux<Access> rows =
        ScatterRead.merged(
            client(),
            ClientShardLog.SHARDS.values(),
            (snapshot, shard) -> {
              ResultSet read = read(snapshot, shard, START, START.plusSeconds(1));
              return counted(shard == SHARDS - 1 ? failing(read) : read);
            },
            Access::of,
            Access.BY_TIME);
    assertThatThrownBy(() -> all(rows)).hasMessage("thrown on purpose");
    assertThat(readsClosed.await(60, TimeUnit.SECONDS)).isTrue();
  }

  /** Fails once all reads are open. */
  private ResultSet failing(ResultSet rows) {
    return new ForwardingResultSet(rows) {
      @Override
      public boolean next() {
        assertThatNoException().isThrownBy(() -> readsOpened.await(60, TimeUnit.SECONDS));
        throw new IllegalStateException("thrown on purpose");
      }
    };
  }

  @Test
  void aCancelEndsAllReadsOfWhichOnlyAFewRowsAreInMemory() throws InterruptedException {
    List<Access> many = IntStream.range(0, 50 * SHARDS).mapToObj(i -> access(i)).toList();
    write(many, new ClientShardLog(client()).insert());
    assertThat(all(between(START, START.plusSeconds(many.size())).take(10)))
        .isEqualTo(many.subList(0, 10));
    assertThat(readsClosed.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(rowsRead).hasValueBetween(SHARDS, SHARDS * ScatterRead.PREFETCH);
  }
}
