package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.ByteArray;
import com.google.cloud.Date;
import com.google.cloud.Timestamp;
import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Struct;
import io.millrace.key.CompositeKey;
import io.millrace.key.KeyFormatException;
import io.millrace.test.emulator.EmulatorDatabase;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Rows of every key type, found on the server by the key that is made of them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SpannerKeysBehaviour {

  static final String GOOGLE_SQL =
      "create table events (shard int64, happened timestamp, day date, host string(64), digest bytes(64),"
          + " live bool, event string(36), seq int64, note string(64))"
          + " primary key (shard, happened desc, day, host, digest, live, event, seq)";

  static final String POSTGRE_SQL =
      "create table events (shard bigint, happened timestamptz, day date, host varchar(64), digest bytea,"
          + " live boolean, event varchar(36), seq bigint, note varchar(64),"
          + " primary key (shard, happened, day, host, digest, live, event, seq))";

  private record Event(
      int shard,
      Instant at,
      LocalDate day,
      String host,
      byte[] digest,
      boolean live,
      @Nullable UUID id,
      long seq,
      String note) {}

  private static final CompositeKey<Event> KEY =
      CompositeKey.<Event>builder()
          .part("shard", Event::shard)
          .descending("happened", Event::at)
          .part("day", Event::day)
          .part("host", Event::host)
          .part("digest", Event::digest)
          .part("live", Event::live)
          .part("event", Event::id)
          .part("seq", Event::seq)
          .build();

  private DatabaseClient client;
  private List<Event> events;

  @BeforeAll
  void insert(EmulatorDatabase database) {
    client = database.client();
    int unit = database.dialect() == Dialect.POSTGRESQL ? 1_000 : 1;
    events = events(unit);
    client.write(events.stream().map(SpannerKeysBehaviour::mutation).toList());
  }

  private static List<Event> events(int nanos) {
    Random random = new Random(42);
    List<Event> events = new ArrayList<>();
    Instant first = Instant.parse("0001-01-01T00:00:00Z");
    Instant last = Instant.parse("9999-12-31T23:59:59.999999999Z").minusNanos(nanos - 1);
    for (int i = 0; i < 100; i++) {
      byte[] digest = new byte[random.nextInt(20)];
      random.nextBytes(digest);
      Instant at =
          Instant.ofEpochSecond(
              random.nextLong(first.getEpochSecond(), last.getEpochSecond()),
              (long) nanos * random.nextInt(1_000_000_000 / nanos));
      events.add(
          new Event(
              random.nextInt(),
              i == 0 ? first : i == 1 ? last : at,
              i == 0 ? LocalDate.of(1, 1, 1) : i == 1 ? LocalDate.of(9999, 12, 31) : day(random),
              i % 3 == 0 ? "" : "höst \ud83d\ude00 " + i,
              digest,
              random.nextBoolean(),
              UUID.nameUUIDFromBytes(digest),
              random.nextLong(),
              "note " + i));
    }
    return events;
  }

  private static LocalDate day(Random random) {
    return LocalDate.ofEpochDay(random.nextLong(-700_000, 2_900_000));
  }

  /** Written column by column with the client's own types, independently of the key under test. */
  private static Mutation mutation(Event event) {
    return Mutation.newInsertBuilder("events")
        .set("shard")
        .to((long) event.shard())
        .set("happened")
        .to(Timestamp.parseTimestamp(event.at().toString()))
        .set("day")
        .to(Date.parseDate(event.day().toString()))
        .set("host")
        .to(event.host())
        .set("digest")
        .to(ByteArray.copyFrom(event.digest()))
        .set("live")
        .to(event.live())
        .set("event")
        .to(String.valueOf(event.id()))
        .set("seq")
        .to(event.seq())
        .set("note")
        .to(event.note())
        .build();
  }

  private @Nullable Struct read(Event event) {
    Key key = SpannerKeys.toKey(KEY, event);
    return client.singleUse().readRow("events", key, List.of("note"));
  }

  @Test
  void everyRowIsFoundByItsKey() {
    assertThat(events)
        .hasSize(100)
        .allSatisfy(
            event ->
                assertThat(read(event))
                    .isNotNull()
                    .extracting(row -> row.getString("note"))
                    .isEqualTo(event.note()));
  }

  @Test
  void noRowIsFoundByAnotherKey() {
    Event event = events.get(5);
    assertThat(
            read(
                new Event(
                    event.shard(),
                    event.at().plusNanos(1_000),
                    event.day(),
                    event.host(),
                    event.digest(),
                    event.live(),
                    event.id(),
                    event.seq(),
                    "")))
        .isNull();
  }

  @Test
  void aRowWithoutAKeyIsRefusedBeforeAnyCall() {
    Event event = events.get(0);
    Event broken =
        new Event(
            event.shard(),
            event.at(),
            event.day(),
            event.host(),
            event.digest(),
            event.live(),
            null,
            event.seq(),
            "");
    assertThatThrownBy(() -> SpannerKeys.toKey(KEY, broken))
        .isExactlyInstanceOf(KeyFormatException.class)
        .hasMessage("part event of the key must not be null");
  }
}
