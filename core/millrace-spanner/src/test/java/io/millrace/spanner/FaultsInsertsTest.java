package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.ResultSet;
import io.grpc.Status;
import io.millrace.SequenceGenerator;
import io.millrace.key.BitReversal;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerTest;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** A whole pipeline against an emulator that aborts transactions at random. */
@SpannerTest(
    faults = true,
    ddl =
        "CREATE TABLE events (shard INT64 NOT NULL, id INT64 NOT NULL, n INT64 NOT NULL)"
            + " PRIMARY KEY (shard, id)")
class FaultsInsertsTest {

  private static final int ROWS = 20_000;
  private static final int GROUP = 1_000;

  /** Commits that are aborted for certain; the emulator aborts others. */
  private static final int ABORTS = 10;

  private static final Duration LIMIT = Duration.ofMinutes(5);

  private record Event(int n, long id, long shard) {

    Event withId(long number) {
      return new Event(n, BitReversal.PRESERVING_SIGN.applyAsLong(number), shard);
    }

    Event withShard(long number) {
      return new Event(n, id, number);
    }

    void writeTo(Mutation.WriteBuilder row) {
      row.set("shard").to(shard).set("id").to(id).set("n").to((long) n);
    }
  }

  @Test
  void thousandsOfRowsArriveExactlyOnce(EmulatorDatabase database) {
    SpannerSequenceStore store = SpannerSequenceStore.create(database.client());
    database.update(store.createTableDdl(database.dialect()));
    store.create("events", 1).block(LIMIT);
    SequenceGenerator ids =
        SequenceGenerator.builder(store, "events").blockSize(10_000).lowWatermark(2_000).build();

    BitSet emitted = new BitSet(ROWS);
    long count;
    int commits;
    try (Wire wire = new Wire(database)) {
      for (int i = 0; i < ABORTS; i++) {
        wire.lose("Commit", Status.ABORTED);
      }
      Flux<Event> saved =
          Flux.range(0, ROWS)
              .map(n -> new Event(n, 0, 0))
              .transform(ids.assign(Event::withId))
              .map(event -> event.withShard(Math.floorMod(event.id(), 16L)))
              .transform(
                  SpannerInserts.into(wire.client(), "events", Event::writeTo)
                      .groupSize(GROUP)
                      .concurrency(4)
                      .rows());
      count =
          saved.doOnNext(event -> emitted.set(event.n())).count().blockOptional(LIMIT).orElse(0L);
      commits = wire.calls().stream().filter("Commit"::equals).toList().size();
    }
    ids.disposeLater().block(LIMIT);

    assertThat(count).isEqualTo(ROWS);
    assertThat(emitted.cardinality()).isEqualTo(ROWS);
    assertThat(commits)
        .as("commits, aborted ones included")
        .isGreaterThanOrEqualTo(ROWS / GROUP + ABORTS);
    BitSet stored = new BitSet(ROWS);
    int rows = 0;
    try (ResultSet found =
        database.client().singleUse().read("events", KeySet.all(), List.of("n"))) {
      while (found.next()) {
        rows++;
        stored.set((int) found.getLong(0));
      }
    }
    assertThat(rows).isEqualTo(ROWS);
    assertThat(stored.cardinality()).isEqualTo(ROWS);
  }
}
