package io.millrace.r2dbc;

import static io.millrace.databases.DatabaseKind.H2;
import static io.millrace.databases.DatabaseKind.MARIADB;
import static io.millrace.databases.DatabaseKind.MYSQL;
import static io.millrace.databases.DatabaseKind.POSTGRESQL;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceGenerator;
import io.millrace.databases.OnDatabases;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.key.BitReversal;
import io.millrace.key.Shards;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import reactor.core.publisher.Flux;

/** Numbers, reversed bits, shards and inserts in one pipeline. */
@OnDatabases({H2, POSTGRESQL, MYSQL, MARIADB})
class InsertPipelineTest {

  private static final int ROWS = 2_000;
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Shards<String> SHARDS = Shards.farmFingerprint(16);

  record Event(int n, String source, long id, long shard) {

    Event withId(long number) {
      return new Event(n, source, number, shard);
    }

    Event withShard(long number) {
      return new Event(n, source, id, number);
    }

    void writeTo(InsertRow row) {
      row.set("shard", shard).set("id", id).set("source", source).set("n", (long) n);
    }
  }

  @Parameter R2dbcDatabase database;

  @Test
  void rowsAreNumberedSpreadAndWrittenOnce() {
    database.execute(
        database
            .kind()
            .quoted(
                "CREATE TABLE \"events\" (\"shard\" BIGINT NOT NULL, \"id\" BIGINT NOT NULL,"
                    + " \"source\" VARCHAR(20), \"n\" BIGINT,"
                    + " PRIMARY KEY (\"shard\", \"id\"))"));
    R2dbcSequenceStore store = R2dbcSequenceStore.create(database.pooled());
    store.createTable().then(store.create("events", 1)).block(LIMIT);
    SequenceGenerator numbers =
        SequenceGenerator.builder(store, "events").blockSize(200).lowWatermark(40).build();

    List<Event> saved =
        Objects.requireNonNull(
            Flux.range(0, ROWS)
                .map(n -> new Event(n, "source" + n % 97, 0, 0))
                .transform(numbers.map(BitReversal.PRESERVING_SIGN).assign(Event::withId))
                .transform(SHARDS.assign(Event::source, Event::withShard))
                .transform(inserts(database).rows())
                .collectList()
                .block(LIMIT));
    numbers.disposeLater().block(LIMIT);

    assertThat(saved).hasSize(ROWS);
    assertThat(saved).extracting(Event::n).doesNotHaveDuplicates();
    assertThat(saved)
        .extracting(event -> BitReversal.PRESERVING_SIGN.decode(event.id()))
        .doesNotHaveDuplicates()
        .allSatisfy(number -> assertThat(number).isBetween(1L, (long) ROWS));
    assertThat(stored(database)).containsExactlyInAnyOrderElementsOf(saved);
  }

  private static R2dbcInserts<Event> inserts(R2dbcDatabase database) {
    return R2dbcInserts.into(database.pooled(), "events", Event::writeTo)
        .key("shard", "id")
        .groupedBy(Event::shard)
        .groupSize(50)
        .concurrency(2);
  }

  private static List<Event> stored(R2dbcDatabase database) {
    return database.query(
        "SELECT \"n\", \"source\", \"id\", \"shard\" FROM \"events\"",
        row ->
            new Event(
                Objects.requireNonNull(row.get(0, Long.class)).intValue(),
                Objects.requireNonNull(row.get(1, String.class)),
                Objects.requireNonNull(row.get(2, Long.class)),
                Objects.requireNonNull(row.get(3, Long.class))));
  }
}
