package io.millrace.keys;

import static io.millrace.keys.Accesses.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.Struct;
import io.millrace.SequenceGenerator;
import io.millrace.key.BitReversal;
import io.millrace.key.RandomUuids;
import io.millrace.spanner.SpannerSequenceStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;

/** The designs of a UserAccessLog. */
abstract class AccessLogBehaviour extends DesignBehaviour {

  private static final Instant HOUR = SECOND.minus(Duration.ofHours(1));

  @Test
  void aKeyThatBeginsWithTheTimeSendsAllRowsOfASecondToOnePart() {
    RisingLog log = new RisingLog(client());
    write(Accesses.all(), log.insert());
    assertThat(all(log.between(HOUR, SECOND)))
        .hasSize(100)
        .isEqualTo(Accesses.between(HOUR, SECOND));
    spread(RisingLog.NAME, "page", NOW).isInOnePart();
  }

  @Test
  void aKeyThatBeginsWithTheUserReadsAUsersNewestAndSpreadsUsers() {
    UserFirstLog log = new UserFirstLog(client(), dialect());
    write(Accesses.all(), log.insert());
    Set<String> users = new HashSet<>();
    for (Access access : Accesses.some()) {
      users.add(access.user());
      assertThat(all(log.newest(access.user(), 3)))
          .hasSizeBetween(1, 3)
          .isEqualTo(
              Accesses.all().stream()
                  .filter(other -> other.user().equals(access.user()))
                  .sorted(Comparator.comparing(Access::at).reversed())
                  .limit(3)
                  .toList());
    }
    assertThat(users).hasSizeGreaterThan(10);
    spread(UserFirstLog.NAME, "page", NOW).isInAllParts();

    List<Access> ofOneUser =
        IntStream.range(0, Accesses.COUNT)
            .mapToObj(i -> new Access("user-7", SECOND.plusSeconds(1 + i), "hot " + i))
            .toList();
    write(ofOneUser, log.insert());
    spread(UserFirstLog.NAME, "page", "hot ").isInOnePart();
  }

  @ParameterizedTest
  @EnumSource
  void aRandomUuidSpreadsRowsInEachLayoutAndFindsThem(UuidColumns columns) {
    Random random = new Random(4);
    UuidLog log = new UuidLog(client(), columns, RandomUuids.from(() -> random));
    write(Accesses.EARLIER, log.insert());
    List<UuidLog.Row> now = write(Accesses.OF_THE_SECOND, log.insert());
    Spread.over(now.stream().map(row -> row.id().getMostSignificantBits() >>> 60).toList())
        .isUniform();
    List<UuidLog.Row> some = now.subList(0, 20);
    assertThat(all(Flux.fromIterable(some).concatMap(row -> log.find(row.id()))))
        .isEqualTo(some.stream().map(UuidLog.Row::access).toList());
    spread(columns.table(), "page", NOW).isInAllParts();
  }

  @Test
  void aUuidOrASequenceAsTheDefaultOfAColumnSpreadsRows() {
    Access extra = new Access("user-extra", SECOND, "extra");

    ServerKeyLog<String> uuids = ServerKeyLog.uuid(client(), dialect());
    write(Accesses.EARLIER, uuids.insert());
    write(Accesses.OF_THE_SECOND, uuids.insert());
    String uuid = one(uuids.add(extra));
    assertThat(UUID.fromString(uuid).version()).isEqualTo(4);
    assertThat(one(uuids.find(uuid))).isEqualTo(extra);
    spread("server_uuid_log", "page", NOW).isInAllParts();

    ServerKeyLog<Long> sequence = ServerKeyLog.sequence(client(), dialect());
    write(Accesses.EARLIER, sequence.insert());
    write(Accesses.OF_THE_SECOND, sequence.insert());
    long key = one(sequence.add(extra));
    assertThat(BitReversal.PRESERVING_SIGN.decode(key)).isBetween(3_201L, 10_000L);
    assertThat(one(sequence.find(key))).isEqualTo(extra);
    spread("server_sequence_log", "page", NOW).isInAllParts();
  }

  @Test
  void aNumberWithItsBitsReversedSpreadsRowsAndFindsThem() {
    SpannerSequenceStore store = SpannerSequenceStore.create(client());
    database().update(store.createTableDdl(dialect()));
    store.create("access_number", 1).block();
    SequenceGenerator numbers =
        SequenceGenerator.builder(store, "access_number").blockSize(1_000).build();
    try {
      BitReversedLog log = new BitReversedLog(client());
      write(Accesses.EARLIER, log.insert(numbers));
      List<BitReversedLog.Row> now = write(Accesses.OF_THE_SECOND, log.insert(numbers));
      assertThat(now)
          .extracting(BitReversedLog.Row::number)
          .allMatch(number -> number > Accesses.COUNT)
          .doesNotHaveDuplicates();
      List<BitReversedLog.Row> some = now.subList(0, 20);
      assertThat(all(Flux.fromIterable(some).concatMap(row -> log.find(row.number()))))
          .isEqualTo(some.stream().map(BitReversedLog.Row::access).toList());
      spread(BitReversedLog.NAME, "page", NOW).isInAllParts();
    } finally {
      numbers.disposeLater().block();
    }
  }

  @Test
  void aShardOfTheClientSpreadsRowsThatAreReadInTheOrderOfTime() {
    ClientShardLog log = new ClientShardLog(client());
    write(Accesses.all(), log.insert());
    assertThat(all(log.between(HOUR, SECOND)))
        .hasSize(100)
        .isEqualTo(Accesses.between(HOUR, SECOND));
    List<Access> some = Accesses.some();
    assertThat(all(Flux.fromIterable(some).concatMap(row -> log.find(row.user(), row.at()))))
        .isEqualTo(some);
    Spread.over(
            Accesses.OF_THE_SECOND.stream().map(a -> ClientShardLog.SHARDS.apply(a) / 4).toList())
        .isUniform();
    spread(ClientShardLog.NAME, "page", NOW).isInAllParts();
  }

  @ParameterizedTest
  @EnumSource
  void aShardOfTheServerIsThatOfTheClientAndRowsAreReadInTheOrderOfTime(GeneratedShard shard) {
    ServerShardLog log = new ServerShardLog(client(), shard);
    write(Accesses.all(), log.insert());

    String[] columns = {"user_id", "last_access", "page", "shard_id"};
    List<Struct> rows = table(shard.table(), columns);
    assertThat(rows).hasSize(2 * Accesses.COUNT);
    assertThat(rows.stream().map(row -> row.getLong("shard_id")))
        .isEqualTo(rows.stream().map(Access::of).map(shard.shards()).toList());
    assertThat(rows.stream().map(row -> row.getLong("shard_id")).distinct())
        .hasSize(Math.toIntExact(shard.shards().count()));

    assertThat(all(log.between(HOUR, SECOND)))
        .hasSize(100)
        .isEqualTo(Accesses.between(HOUR, SECOND));
    assertThat(all(log.since(SECOND, 50))).isEqualTo(Accesses.OF_THE_SECOND.subList(0, 50));
    List<Access> some = Accesses.some();
    assertThat(all(Flux.fromIterable(some).concatMap(row -> log.find(row.user(), row.at()))))
        .isEqualTo(some);
    spread(shard.table(), "page", NOW).isInAllParts();
  }

  @Test
  void theShardsOfTheGuideAreTwiceAsManyLessOne() {
    assertThat(Stream.of(GeneratedShard.values()).map(shard -> shard.shards().count()))
        .containsExactly(64L, 127L, 64L);
  }
}
