package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.Timestamp;
import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeyRange;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.Struct;
import com.google.cloud.spanner.TimestampBound;
import com.google.cloud.spanner.Type;
import com.google.spanner.v1.ExecuteSqlRequest;
import com.google.spanner.v1.ReadRequest;
import io.millrace.test.emulator.EmulatorDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** The rows and the requests of a scatter read, compared with the rows that were inserted. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RangeScatterBehaviour {

  static final Duration LIMIT = Duration.ofSeconds(120);

  private static final int SHARDS = 64;
  private static final int ROWS_OF_A_SHARD = 250;
  private static final int SIGNED_SHARDS = 32;

  /** More than the client has threads for result sets, which are 8. */
  private static final int READERS = 12;

  private static final KeyRange EVERYTHING = KeyRange.prefix(Key.of());
  private static final long FIRST_SECOND = 1_500_000_000L;

  /** A row of the access log; several rows have the same time. */
  record Access(long shard, Timestamp time, long user) {

    static Access of(Struct row) {
      return new Access(
          row.getLong("shard"), row.getTimestamp("last_access"), row.getLong("user_id"));
    }

    Mutation insert(String table) {
      return Mutation.newInsertBuilder(table)
          .set("shard")
          .to(shard)
          .set("last_access")
          .to(time)
          .set("user_id")
          .to(user)
          .set("note")
          .to("note " + user)
          .build();
    }
  }

  static final Comparator<Access> IN_ORDER =
      Comparator.comparing(Access::time)
          .thenComparingLong(Access::user)
          .thenComparingLong(Access::shard);

  private EmulatorDatabase database;
  private Wire wire;
  private List<Access> log = List.of();
  private List<Access> signed = List.of();

  @BeforeAll
  void fill(EmulatorDatabase created) {
    database = created;
    database.update(table("access_log"), table("signed_log"), table("fresh_log"));
    Random random = new Random(42);
    log =
        insert("access_log", random, SHARDS * ROWS_OF_A_SHARD, hash -> Math.floorMod(hash, SHARDS));
    signed = insert("signed_log", random, 6_300, hash -> hash % SIGNED_SHARDS);
  }

  /** The statement that makes a table with the key (shard, last_access, user_id). */
  private String table(String name) {
    return database.dialect() == Dialect.POSTGRESQL
        ? "CREATE TABLE "
            + name
            + " (shard bigint NOT NULL, last_access timestamptz NOT NULL, user_id bigint NOT NULL,"
            + " note varchar(40), PRIMARY KEY (shard, last_access, user_id))"
        : "CREATE TABLE "
            + name
            + " (shard INT64 NOT NULL, last_access TIMESTAMP NOT NULL, user_id INT64 NOT NULL,"
            + " note STRING(40)) PRIMARY KEY (shard, last_access, user_id)";
  }

  private interface ShardOf {
    int apply(int hash);
  }

  /** One row in ten is there a second time, in another shard. */
  private List<Access> insert(String table, Random random, int count, ShardOf shardOf) {
    List<Access> rows = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      if (i % 10 == 9) {
        Access before = rows.get(i - 1);
        int shard = shardOf.apply((int) before.shard() + 1);
        rows.add(new Access(shard, before.time(), before.user()));
      } else {
        rows.add(new Access(shardOf.apply(random.nextInt()), time(random.nextInt(900)), i));
      }
    }
    insert(database.client(), table, rows);
    return rows.stream().sorted(IN_ORDER).toList();
  }

  static void insert(DatabaseClient client, String table, List<Access> rows) {
    for (int from = 0; from < rows.size(); from += 4_000) {
      client.writeAtLeastOnce(
          rows.subList(from, Math.min(rows.size(), from + 4_000)).stream()
              .map(row -> row.insert(table))
              .toList());
    }
  }

  /**
   * A time within the quarter of an hour of the log; the microseconds are what PostgreSQL keeps.
   */
  static Timestamp time(int second) {
    return Timestamp.ofTimeSecondsAndNanos(FIRST_SECOND + second, 123_456_000);
  }

  /** Each test has its own, because requests under way at a cancel may still be sent. */
  @BeforeEach
  void connect() {
    wire = new Wire(database);
  }

  @AfterEach
  void disconnect() {
    wire.close();
  }

  EmulatorDatabase database() {
    return database;
  }

  List<Access> log() {
    return log;
  }

  private RangeScatterBuilder reader() {
    return RangeScatter.builder(wire.client(), "access_log")
        .shards(LongStream.range(0, SHARDS))
        .key("last_access", "user_id")
        .columns("shard");
  }

  private List<ReadRequest> pages() {
    return wire.requests(ReadRequest.class);
  }

  static List<Access> all(Flux<Struct> rows) {
    return Objects.requireNonNull(rows.map(Access::of).collectList().block(LIMIT));
  }

  private List<Access> where(Predicate<Access> condition) {
    List<Access> expected = log.stream().filter(condition).toList();
    assertThat(expected).as("the test looks at rows").hasSizeGreaterThan(3);
    return expected;
  }

  @Test
  void everythingComesInKeyOrder() {
    assertThat(log).hasSize(SHARDS * ROWS_OF_A_SHARD);
    assertThat(all(reader().pageSize(ROWS_OF_A_SHARD).build().rows())).isEqualTo(log);
    assertThat(pages().size()).as("a page of rows of a shard, more or less").isBetween(64, 4 * 64);
  }

  @Test
  void signedShardsAreReadToo() {
    long[] shards = LongStream.rangeClosed(-(SIGNED_SHARDS - 1), SIGNED_SHARDS - 1).toArray();
    assertThat(shards).hasSize(63);
    assertThat(signed).map(Access::shard).contains(-31L, -1L, 0L, 31L).hasSize(6_300);
    RangeScatter scatter =
        RangeScatter.builder(wire.client(), "signed_log")
            .shards(LongStream.of(shards))
            .key("last_access", "user_id")
            .columns("shard")
            .pageSize(17)
            .concurrency(5)
            .build();
    assertThat(all(scatter.rows())).isEqualTo(signed);
    assertThat(pages()).allMatch(page -> page.getLimit() <= 18);
  }

  @Test
  void rangesAreClosedOrOpenWithWholeKeysAndPrefixes() {
    RangeScatter scatter = reader().build();
    Timestamp from = time(600);
    Timestamp to = time(660);
    Access middle = where(row -> row.time().equals(time(630))).get(2);

    assertThat(all(scatter.rows(KeyRange.closedOpen(Key.of(from), Key.of(to)))))
        .isEqualTo(where(row -> row.time().compareTo(from) >= 0 && row.time().compareTo(to) < 0));
    assertThat(all(scatter.rows(KeyRange.openClosed(Key.of(from), Key.of(to)))))
        .isEqualTo(where(row -> row.time().compareTo(from) > 0 && row.time().compareTo(to) <= 0));
    assertThat(all(scatter.rows(KeyRange.prefix(Key.of(from)))))
        .isEqualTo(where(row -> row.time().equals(from)));
    assertThat(all(scatter.rows(KeyRange.closedClosed(Key.of(), Key.of(from)))))
        .isEqualTo(where(row -> row.time().compareTo(from) <= 0));
    Comparator<Access> byKey = Comparator.comparing(Access::time).thenComparingLong(Access::user);
    assertThat(
            all(
                scatter.rows(
                    KeyRange.openClosed(Key.of(middle.time(), middle.user()), Key.of(to)))))
        .isEqualTo(where(row -> byKey.compare(row, middle) > 0 && row.time().compareTo(to) <= 0));
    assertThat(all(scatter.rows(KeyRange.closedOpen(Key.of(to), Key.of(from))))).isEmpty();
  }

  @Test
  void everyPageSizeAndConcurrencyGivesTheSame() {
    KeyRange range = KeyRange.closedOpen(Key.of(time(100)), Key.of(time(110)));
    List<Access> expected =
        where(row -> row.time().compareTo(time(100)) >= 0 && row.time().compareTo(time(110)) < 0);
    for (int pageSize : new int[] {1, 2, 7, 1_000_000}) {
      for (int concurrency : new int[] {1, 64}) {
        RangeScatter scatter = reader().pageSize(pageSize).concurrency(concurrency).build();
        assertThat(all(scatter.rows(range)))
            .as("page size %d, concurrency %d", pageSize, concurrency)
            .isEqualTo(expected);
      }
    }
  }

  @Test
  void aLimitReadsOneSmallPageOfEachShard() {
    assertThat(all(reader().build().rows(EVERYTHING, 10))).isEqualTo(log.subList(0, 10));
    assertThat(pages()).hasSize(SHARDS).allMatch(page -> page.getLimit() <= 10);
    assertThat(wire.calls()).as("and what fixes the timestamp").hasSize(SHARDS + 1);
  }

  @Test
  void aLargerLimitReadsLittleMoreThanItGives() {
    assertThat(all(reader().build().rows(EVERYTHING, 6_400))).isEqualTo(log.subList(0, 6_400));
    long asked = pages().stream().mapToLong(ReadRequest::getLimit).sum();
    assertThat(asked).isBetween(6_400L, 3 * 6_400L);
  }

  @Test
  void aShardThatHoldsTheWholeLimitIsReadToTheEnd() {
    List<Access> oneShard = where(row -> row.shard() == 7);
    RangeScatter scatter = reader().pageSize(50).build();
    List<Access> read =
        all(scatter.rows(EVERYTHING, 1_000)).stream().filter(row -> row.shard() == 7).toList();
    assertThat(read).isEqualTo(oneShard.subList(0, read.size())).isNotEmpty();
    RangeScatter alone = reader().shards(LongStream.of(7, 1_000)).pageSize(50).build();
    assertThat(all(alone.rows(EVERYTHING, 200))).isEqualTo(oneShard.subList(0, 200));
  }

  @Test
  void rowsOfEqualKeysComeInTheOrderOfTheirShardsAsGiven() {
    Comparator<Access> downwards =
        Comparator.comparing(Access::time)
            .thenComparingLong(Access::user)
            .thenComparing(Comparator.comparingLong(Access::shard).reversed());
    RangeScatter scatter =
        reader().shards(LongStream.range(0, SHARDS).map(i -> SHARDS - 1 - i)).build();
    assertThat(all(scatter.rows(EVERYTHING, 5_000)))
        .isEqualTo(log.stream().sorted(downwards).limit(5_000).toList())
        .isNotEqualTo(log.subList(0, 5_000));
  }

  @Test
  void keyColumnsFollowTheColumnsAskedFor() {
    StepVerifier.create(
            reader().columns("note", "user_id").build().rows(EVERYTHING, 1).map(Struct::getType))
        .assertNext(
            type ->
                assertThat(type.getStructFields())
                    .extracting(Type.StructField::getName)
                    .containsExactly("note", "user_id", "last_access"))
        .expectComplete()
        .verify(LIMIT);
  }

  @Test
  void allPagesAreReadAtOneTimestampThatTheFirstRequestFixes() {
    assertThat(all(reader().build().rows())).hasSize(log.size());
    assertThat(wire.calls().get(0)).isEqualTo("ExecuteStreamingSql");
    assertThat(wire.requests(ExecuteSqlRequest.class))
        .singleElement()
        .satisfies(
            fix -> {
              assertThat(fix.getTransaction().getSingleUse().getReadOnly().hasExactStaleness())
                  .as("not strong: that is the concern of one group of rows only")
                  .isTrue();
              assertThat(fix.getTransaction().getSingleUse().getReadOnly().getReturnReadTimestamp())
                  .isTrue();
            });
    assertThat(pages())
        .allMatch(page -> page.getTransaction().getSingleUse().getReadOnly().hasReadTimestamp())
        .extracting(page -> page.getTransaction().getSingleUse().getReadOnly().getReadTimestamp())
        .containsOnly(
            pages().get(0).getTransaction().getSingleUse().getReadOnly().getReadTimestamp());
  }

  private RangeScatterBuilder fresh() {
    return RangeScatter.builder(wire.client(), "fresh_log")
        .shards(LongStream.range(0, SHARDS))
        .key("last_access", "user_id")
        .columns("shard");
  }

  private static List<Access> rowOfEachShard(int second) {
    return IntStream.range(0, SHARDS).mapToObj(i -> new Access(i, time(second), i)).toList();
  }

  @Test
  void rowsThatComeDuringTheReadDoNotAppearAndThoseBeforeDo() {
    List<Access> before =
        IntStream.range(0, 20).boxed().flatMap(i -> rowOfEachShard(2 * i).stream()).toList();
    insert(database.client(), "fresh_log", before);
    RangeScatter scatter = fresh().pageSize(2).build();
    List<Access> during = rowOfEachShard(39);
    List<Access> read = new ArrayList<>();
    StepVerifier.create(scatter.rows().map(Access::of).doOnNext(read::add), 0)
        .thenRequest(1)
        .expectNextCount(1)
        .then(() -> insert(database.client(), "fresh_log", during))
        .thenRequest(Long.MAX_VALUE)
        .expectNextCount(before.size() - 1)
        .expectComplete()
        .verify(LIMIT);
    assertThat(read).isEqualTo(before);
    assertThat(all(scatter.rows())).hasSize(before.size() + during.size());

    Timestamp then = Timestamp.fromProto(firstPageTimestamp());
    assertThat(all(fresh().timestampBound(TimestampBound.ofReadTimestamp(then)).build().rows()))
        .isEqualTo(before);

    for (int i = 0; i < 16; i++) {
      Access late = new Access(i, time(100 + i), i);
      insert(database.client(), "fresh_log", List.of(late));
      assertThat(all(scatter.rows(KeyRange.prefix(Key.of(late.time()))))).containsExactly(late);
    }
  }

  private com.google.protobuf.Timestamp firstPageTimestamp() {
    return pages().get(0).getTransaction().getSingleUse().getReadOnly().getReadTimestamp();
  }

  @Test
  void whatIsHeldForASlowSubscriberStaysWithinTheBound() {
    int pageSize = 20;
    int take = 5_000;
    long bound = SHARDS * (pageSize + pageSize / 2);
    AtomicInteger received = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Mono<Void> slow =
        Mono.create(
            sink ->
                reader()
                    .pageSize(pageSize)
                    .build()
                    .rows()
                    .subscribe(
                        new BaseSubscriber<Struct>() {
                          @Override
                          protected void hookOnSubscribe(Subscription subscription) {
                            request(1);
                          }

                          @Override
                          protected void hookOnNext(Struct row) {
                            int count = received.incrementAndGet();
                            if (count % 100 == 0) {
                              most.accumulateAndGet((int) (asked() - count), Math::max);
                            }
                            if (count == take) {
                              cancel();
                              sink.success();
                            } else {
                              request(1);
                            }
                          }

                          @Override
                          protected void hookOnError(Throwable failure) {
                            sink.error(failure);
                          }
                        }));
    StepVerifier.create(slow).expectComplete().verify(LIMIT);
    assertThat(received).hasValue(take);
    assertThat((long) most.get()).isPositive().isLessThanOrEqualTo(bound);
  }

  /** How many new rows the pages so far asked for; a page after the first repeats one. */
  private long asked() {
    return pages().stream()
        .mapToLong(
            page ->
                page.getLimit()
                    - (page.getKeySet().getRanges(0).getStartClosed().getValuesCount() > 1 ? 1 : 0))
        .sum();
  }

  @Test
  void noMorePagesAreReadAtATimeThanAllowedAndNoneAfterACancel() {
    wire.hold("StreamingRead");
    BaseSubscriber<Struct> subscriber = new BaseSubscriber<>() {};
    reader().concurrency(5).build().rows(EVERYTHING, 10).subscribe(subscriber);
    Awaitility.await().atMost(LIMIT).until(() -> wire.heldAnswers() == 5);
    subscriber.cancel();
    wire.release();
    assertThat(all(reader().build().rows(EVERYTHING, 10))).hasSize(10);
    assertThat(pages()).hasSize(5 + SHARDS);
  }

  @Test
  void readersThatWaitForTheirSubscribersHoldNobodyUp() {
    List<BaseSubscriber<Struct>> waiting = new ArrayList<>();
    AtomicInteger served = new AtomicInteger();
    RangeScatter scatter = reader().pageSize(10).build();
    for (int i = 0; i < READERS; i++) {
      BaseSubscriber<Struct> one =
          new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
              request(1);
            }

            @Override
            protected void hookOnNext(Struct row) {
              served.incrementAndGet();
            }
          };
      waiting.add(one);
      scatter.rows().subscribe(one);
    }
    Awaitility.await().atMost(LIMIT).until(() -> served.get() == READERS);
    assertThat(all(scatter.rows(KeyRange.prefix(Key.of(time(5))))))
        .isEqualTo(where(row -> row.time().equals(time(5))));
    waiting.forEach(BaseSubscriber::cancel);
    assertThat(served).hasValue(READERS);
  }

  /** If all shards fail, some fail at the same time. The subscriber receives one failure only. */
  private static Flux<Struct> quiet(Flux<Struct> rows) {
    Consumer<Throwable> ignored = failure -> {};
    return rows.contextWrite(context -> context.put("reactor.onErrorDropped.local", ignored));
  }

  private static void fails(Flux<Struct> rows, Class<? extends Throwable> type, String... parts) {
    StepVerifier.create(quiet(rows).then())
        .expectErrorSatisfies(
            failure -> {
              assertThat(failure).isInstanceOf(type);
              for (String part : parts) {
                assertThat(failure).hasMessageContaining(part);
              }
            })
        .verify(LIMIT);
  }

  @Test
  void aKeyThatIsNotTheTablesIsFoundOutRatherThanLosingRows() {
    String[] complaint = {"of table access_log is not in the order", "every column"};
    fails(described().key("last_access").build().rows(), IllegalStateException.class, complaint);
    fails(
        described().key("last_access").pageSize(1).build().rows(),
        IllegalStateException.class,
        complaint);
    fails(
        described().keyDescending("last_access").key("user_id").build().rows(),
        IllegalStateException.class,
        "(last_access DESC, user_id)");
    fails(
        described().key("user_id", "last_access").build().rows(),
        IllegalStateException.class,
        "(user_id, last_access)");
    fails(
        described().key("last_access", "user_id", "note").pageSize(5).build().rows(),
        SpannerException.class);
  }

  /**
   * With pages of one row there are no neighbours to compare, so only the next page shows the
   * fault.
   */
  @Test
  void swappedColumnsOfOneTypeAreFoundOutToo() {
    database.update(
        database.dialect() == Dialect.POSTGRESQL
            ? "CREATE TABLE pairs (shard bigint, a bigint, b bigint, PRIMARY KEY (shard, a, b))"
            : "CREATE TABLE pairs (shard INT64, a INT64, b INT64) PRIMARY KEY (shard, a, b)");
    database.client().writeAtLeastOnce(List.of(pair(1, 5), pair(2, 6), pair(7, 8)));
    RangeScatterBuilder pairs =
        RangeScatter.builder(wire.client(), "pairs").shards(LongStream.of(0)).pageSize(1);
    fails(
        pairs.key("b", "a").build().rows(),
        IllegalStateException.class,
        "of table pairs is not in the order (b, a): a page starts at the wrong row: they differ"
            + " first in column 'b'");
  }

  private static Mutation pair(long a, long b) {
    return Mutation.newInsertBuilder("pairs")
        .set("shard")
        .to(0)
        .set("a")
        .to(a)
        .set("b")
        .to(b)
        .build();
  }

  private RangeScatterBuilder described() {
    return RangeScatter.builder(wire.client(), "access_log").shards(LongStream.range(0, SHARDS));
  }

  @Test
  void anErrorOfTheServerIsTheClientsException() {
    for (int i = 0; i < 20; i++) {
      RangeScatter none =
          RangeScatter.builder(wire.client(), "no_such_table")
              .shards(LongStream.range(0, SHARDS))
              .key("id")
              .build();
      StepVerifier.create(quiet(none.rows()))
          .expectErrorSatisfies(
              failure ->
                  assertThat(failure)
                      .isInstanceOfSatisfying(
                          SpannerException.class,
                          refusal ->
                              assertThat(refusal.getErrorCode()).isEqualTo(ErrorCode.NOT_FOUND)))
          .verify(LIMIT);
    }
    assertThat(pages()).hasSizeLessThan(20 * SHARDS);
    fails(reader().columns("no_such_column").build().rows(), SpannerException.class);
  }
}
