package io.millrace.r2dbc;

import static io.millrace.databases.DatabaseKind.H2;
import static io.millrace.databases.DatabaseKind.MARIADB;
import static io.millrace.databases.DatabaseKind.MYSQL;
import static io.millrace.databases.DatabaseKind.POSTGRESQL;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.databases.OnDatabases;
import io.millrace.databases.Pools;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.insert.InsertFailedException;
import io.millrace.insert.RowWriter;
import io.millrace.insert.RowWriterMetricsRecorder;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.PoolMetrics;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Rows of many callers, which share transactions on a real database. */
@OnDatabases(
    value = {H2, POSTGRESQL, MARIADB},
    also = MYSQL)
class R2dbcRowWriterTest {

  /** A line of an invoice, with a number without gaps. */
  record Line(String id, @Nullable String item, long number) {

    Line withNumber(long taken) {
      return new Line(id, item, taken);
    }

    void writeTo(InsertRow row) {
      row.set("id", id).set("item", item, String.class).set("n", number);
    }
  }

  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final Throwable LOST = new R2dbcNonTransientResourceException("connection reset");
  private static final AtomicLong TESTS = new AtomicLong();

  @Parameter R2dbcDatabase database;
  private R2dbcDialect dialect;
  private WatchedConnections watched;
  private R2dbcSequenceStore store;
  private String sequence;

  @BeforeParameterizedClassInvocation
  void createTables() {
    dialect = Objects.requireNonNull(R2dbcDialect.of(database.pooled()).block(LIMIT));
    database.execute(
        database
            .kind()
            .quoted(
                "CREATE TABLE \"lines\" (\"id\" VARCHAR(40) NOT NULL PRIMARY KEY,"
                    + " \"item\" VARCHAR(20) NOT NULL, \"n\" BIGINT NOT NULL)"));
    store = R2dbcSequenceStore.create(database.pooled());
    store.createTable().block(LIMIT);
  }

  @BeforeEach
  void begin() {
    watched = new WatchedConnections(database.pooled());
    sequence = "lines_" + TESTS.incrementAndGet();
    store.create(sequence, 1).block(LIMIT);
  }

  @AfterEach
  void everyConnectionIsGivenBackOnce() {
    watched.awaitClosed();
    assertThat(watched.closedTwice()).isZero();
  }

  private R2dbcInserts<Line> inserts(ConnectionFactory connections) {
    return R2dbcInserts.into(connections, "lines", Line::writeTo)
        .dialect(dialect)
        .key("id")
        .retries(3, Duration.ofMillis(1), Duration.ofMillis(10))
        .numbered(store.transactional(sequence), Line::withNumber);
  }

  private Line line(int i, @Nullable String item) {
    return new Line(sequence + "/" + i, item, 0);
  }

  /** The numbers of this test's lines, by id. */
  private Map<String, Long> stored() {
    String query = "SELECT \"id\", \"n\" FROM \"lines\" WHERE \"id\" LIKE '" + sequence + "/%'";
    Map<String, Long> stored = new TreeMap<>();
    database
        .query(
            query,
            row ->
                Map.entry(
                    "" + row.get(0, String.class), Objects.requireNonNull(row.get(1, Long.class))))
        .forEach(row -> stored.put(row.getKey(), row.getValue()));
    return stored;
  }

  private void assertWithoutGaps() {
    Map<String, Long> stored = stored();
    assertThat(stored.values())
        .containsExactlyInAnyOrderElementsOf(
            LongStream.rangeClosed(1, stored.size()).boxed().toList());
    assertThat(Objects.requireNonNull(store.state(sequence).block(LIMIT)).nextValue())
        .isEqualTo(stored.size() + 1);
  }

  private long count(String event) {
    return watched.log().stream().filter(event::equals).count();
  }

  /** Callers that leave at any moment: before, in and after their transaction. */
  @Test
  void leavesNoGapWhenCallersLeaveAtRandom() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    ConnectionPool pool = Pools.of(2, watched);
    RowWriter<Line> writer = inserts(pool).groupSize(20).writer();
    Map<String, Long> answered = new ConcurrentHashMap<>();
    int callers = 150;
    int[] patience = random.ints(callers, 0, 60).toArray();
    Flux.range(0, callers)
        .flatMap(
            i -> {
              Mono<Line> saved =
                  writer
                      .write(line(i, "item"))
                      .doOnNext(own -> answered.put(own.id(), own.number()));
              return i % 3 == 0
                  ? saved
                  : saved.timeout(Duration.ofMillis(patience[i]), Mono.empty());
            },
            50)
        .blockLast(LIMIT);
    writer.disposeLater().block(LIMIT);

    assertThat(writer.waiting()).as("seed %d", seed).isZero();
    PoolMetrics metrics = pool.getMetrics().orElseThrow();
    Awaitility.await()
        .atMost(LIMIT)
        .pollDelay(Duration.ZERO)
        .untilAsserted(() -> assertThat(metrics.acquiredSize()).as("seed %d", seed).isZero());
    assertThat(metrics.pendingAcquireSize()).isZero();
    assertThat(answered).as("seed %d", seed).hasSizeGreaterThanOrEqualTo(callers / 3);
    assertThat(stored()).as("seed %d", seed).containsAllEntriesOf(answered);
    assertWithoutGaps();
    pool.disposeLater().block(LIMIT);
  }

  /** As in two processes: they have nothing in common but the database. */
  @Test
  void twoWritersOfOneSequenceBothMakeProgress() {
    R2dbcSequenceStore other = R2dbcSequenceStore.create(database.pooled());
    RowWriter<Line> first = inserts(watched).writer();
    RowWriter<Line> second =
        inserts(watched).numbered(other.transactional(sequence), Line::withNumber).writer();
    AtomicInteger ids = new AtomicInteger();
    long written = writtenBeside(first, second, ids) + writtenBeside(second, first, ids);
    Mono.when(first.disposeLater(), second.disposeLater(), other.close()).block(LIMIT);
    assertThat(stored()).hasSize(Math.toIntExact(written));
    assertWithoutGaps();
  }

  /** Writes some rows while another writer is never idle. Returns how many rows both wrote. */
  private long writtenBeside(RowWriter<Line> writer, RowWriter<Line> busy, AtomicInteger ids) {
    Sinks.Empty<Void> isBusy = Sinks.empty();
    AtomicBoolean done = new AtomicBoolean();
    Flux<Line> many =
        lines(ids)
            .takeWhile(line -> !done.get())
            .flatMap(busy::write, 10)
            .doOnNext(written -> isBusy.tryEmitEmpty());
    Flux<Line> some = lines(ids).take(100).flatMap(writer::write, 10);
    return Objects.requireNonNull(
        Flux.merge(many, isBusy.asMono().thenMany(some).doOnComplete(() -> done.set(true)))
            .count()
            .block(LIMIT));
  }

  private Flux<Line> lines(AtomicInteger ids) {
    return Flux.generate(sink -> sink.next(line(ids.getAndIncrement(), "item")));
  }

  private RowWriterMetricsRecorder counting(AtomicInteger groups) {
    return new RowWriterMetricsRecorder() {
      @Override
      public void written(int rows, long nanos) {
        groups.incrementAndGet();
      }
    };
  }

  @Test
  void writesAGroupWithManyDuplicatesInFewTransactions() {
    AtomicInteger groups = new AtomicInteger();
    RowWriter<Line> writer = inserts(watched).metrics(counting(groups)).writer();
    int duplicates = 20;
    writer
        .writeAll(IntStream.range(0, duplicates).mapToObj(i -> line(10 * i, "first")).toList())
        .block(LIMIT);
    watched.clear();
    groups.set(0);
    int rows = 10 * duplicates;
    List<Throwable> refused = new ArrayList<>();
    List<Line> saved =
        Objects.requireNonNull(
            writer
                .write(line(rows, "alone"))
                .mergeWith(
                    Flux.range(0, rows)
                        .flatMap(
                            i ->
                                writer
                                    .write(line(i, "second"))
                                    .onErrorResume(
                                        InsertFailedException.class,
                                        failed -> {
                                          refused.add(failed);
                                          return Mono.empty();
                                        }),
                            rows))
                .collectList()
                .block(LIMIT));
    writer.disposeLater().block(LIMIT);

    assertThat(refused)
        .hasSize(duplicates)
        .allSatisfy(
            failed -> assertThat(dialect.failure(failed)).isEqualTo(ErrorCategory.DUPLICATE_KEY));
    assertThat(saved).hasSize(rows + 1 - duplicates);
    assertThat(count("begin"))
        .as("transactions of " + groups + " groups")
        .isLessThanOrEqualTo(duplicates + 2 * groups.get())
        .isLessThan(rows / 2);
    assertWithoutGaps();
  }

  @Test
  void numbersTheLinesOfAnInvoiceConsecutively() {
    RowWriter<Line> writer = inserts(watched).writer();
    List<Long> alone = new ArrayList<>();
    List<List<Line>> invoices =
        Objects.requireNonNull(
            Flux.range(0, 30)
                .flatMap(
                    i ->
                        i % 3 == 0
                            ? writer
                                .write(line(10 * i, "alone"))
                                .doOnNext(own -> alone.add(own.number()))
                                .then(Mono.empty())
                            : writer
                                .writeAll(
                                    List.of(
                                        line(10 * i, "item"),
                                        line(10 * i + 1, i % 5 == 0 ? null : "item"),
                                        line(10 * i + 2, "item")))
                                .onErrorResume(InsertFailedException.class, bad -> Mono.empty()),
                    30)
                .collectList()
                .block(LIMIT));
    writer.disposeLater().block(LIMIT);

    assertThat(alone).hasSize(10);
    assertThat(invoices)
        .hasSize(16)
        .allSatisfy(
            lines -> {
              long first = lines.get(0).number();
              assertThat(lines)
                  .extracting(Line::number)
                  .containsExactly(first, first + 1, first + 2);
            });
    assertThat(stored()).hasSize(10 + 3 * 16);
    assertWithoutGaps();
  }
}
