package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.SessionPoolOptions;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.Statement;
import com.google.cloud.spanner.Struct;
import com.google.cloud.spanner.admin.database.v1.DatabaseAdminClient;
import io.grpc.Status;
import io.millrace.SequenceBlock;
import io.millrace.TransactionalSequence;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** Everything here runs on Reactor's parallel threads and gRPC's own. */
@SpannerTest(ddl = "CREATE TABLE Things (Id INT64 NOT NULL) PRIMARY KEY (Id)")
@Tag("blockhound")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SpannerBlockHoundTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final List<String> BLOCKED = BlockedCalls.seen();

  private EmulatorDatabase database;
  private SpannerSequenceStore store;

  @BeforeAll
  void arm(EmulatorDatabase created) {
    database = created;
    store = SpannerSequenceStore.create(created.client());
    BlockedCalls.arm(frame -> frame.startsWith("io.millrace."));
  }

  @BeforeEach
  void clear() {
    BLOCKED.clear();
  }

  private static <T> T onParallel(Mono<T> work) {
    List<T> values = new CopyOnWriteArrayList<>();
    StepVerifier.create(work.subscribeOn(Schedulers.parallel()))
        .consumeNextWith(values::add)
        .expectComplete()
        .verify(LIMIT);
    return values.get(0);
  }

  @Test
  void aBlockingCallIsRecordedSoTheOtherTestsProveSomething() {
    onParallel(
        Mono.fromCallable(
            () -> {
              Thread.sleep(1);
              return "slept";
            }));
    assertThat(BLOCKED).hasSize(1).first().asString().contains("Thread.sleep");
    BLOCKED.clear();
    onParallel(
        SpannerTransactions.readWrite(
            database.client(),
            tx ->
                tx.executeUpdate(Statement.of("DELETE FROM Things WHERE Id = 0"))
                    .map(
                        count -> {
                          database.client().singleUse().readRow("Things", Key.of(0), List.of("Id"));
                          return count;
                        })));
    assertThat(BLOCKED).as("on a thread of the client").isNotEmpty();
  }

  @Test
  void storeAndTransactionsBlockNoThread() {
    long reserved = onParallel(everyOperation(store));
    assertThat(reserved).isEqualTo(160);
    assertThat(BLOCKED).isEmpty();
  }

  private Mono<Long> everyOperation(SpannerSequenceStore of) {
    DatabaseAdminClient admin = database.spanner().createDatabaseAdminClient();
    TransactionalSequence<SpannerTransaction> sequence = of.transactional("in_transaction");
    Mono<Long> reservations =
        Flux.range(0, 40)
            .flatMap(i -> of.reserve("s", 4), 8)
            .map(SequenceBlock::size)
            .reduce(0L, Long::sum);
    Mono<Long> transactions =
        Flux.range(0, 20)
            .flatMap(
                i ->
                    SpannerTransactions.readWrite(
                        database.client(),
                        tx ->
                            sequence
                                .next(tx)
                                .flatMap(
                                    id ->
                                        tx.executeUpdate(
                                            Statement.of("INSERT Things (Id) VALUES (" + id + ")")))
                                .thenMany(tx.read("Things", KeySet.all(), List.of("Id")))
                                .map((Struct row) -> row.getLong(0))
                                .count()),
                4)
            .count();
    return of.createTable(admin, database.id())
        .then(of.create("s", 1))
        .then(of.create("in_transaction", 1))
        .then(reservations)
        .flatMap(total -> transactions.thenReturn(total))
        .flatMap(total -> of.advanceTo("s", 1).thenReturn(total))
        .flatMap(total -> of.release("s", SequenceBlock.of(160, 1)).thenReturn(total))
        .flatMap(total -> of.state("s").thenReturn(total))
        .flatMap(
            total ->
                of.reserve("absent", 1)
                    .map(SequenceBlock::size)
                    .onErrorResume(missing -> Mono.just(0L))
                    .thenReturn(total))
        .doFinally(end -> Schedulers.boundedElastic().schedule(admin::close));
  }

  @Test
  void nativeSequencesBlockNoThread() {
    NativeSequenceStore of = NativeSequenceStore.create(database.client());
    database.update(new NativeQueries("native", Dialect.GOOGLE_STANDARD_SQL).create());
    Mono<Long> operations =
        of.create("native", 1)
            .thenMany(Flux.range(0, 20).flatMap(i -> of.reserve("native", 4), 4))
            .map(SequenceBlock::size)
            .reduce(0L, Long::sum)
            .flatMap(total -> of.state("native").thenReturn(total))
            .flatMap(
                total ->
                    of.reserve("absent", 1)
                        .map(SequenceBlock::size)
                        .onErrorResume(missing -> Mono.just(0L))
                        .map(none -> total + none));
    assertThat(onParallel(operations)).isEqualTo(80);
    assertThat(BLOCKED).isEmpty();
  }

  @Test
  void insertPipelinesBlockNoThread() {
    try (Wire wire = new Wire(database)) {
      wire.answerCommitWith(Status.INTERNAL); // so that rows are looked up, too
      Mono<Long> rows = inserted(wire, 1_000, SpannerInserts::rows);
      Mono<Long> dml = inserted(wire, 2_000, inserts -> inserts.dml().rows());
      assertThat(onParallel(rows.zipWith(dml, Long::sum))).isEqualTo(200);
      assertThat(BLOCKED).isEmpty();
    }
  }

  private static Mono<Long> inserted(
      Wire wire,
      int first,
      Function<SpannerInserts<Integer>, Function<Flux<Integer>, Flux<Integer>>> operator) {
    return Flux.range(first, 100)
        .transform(
            operator.apply(
                SpannerInserts.<Integer>into(
                        wire.client(), "Things", (id, row) -> row.set("Id").to((long) id))
                    .groupSize(10)))
        .count();
  }

  @Test
  void aClientThatHasNoSessionYetBlocksNoReactiveThread() {
    try (Spanner fresh =
        database
            .emulator()
            .connect(
                options ->
                    options.setSessionPoolOption(
                        SessionPoolOptions.newBuilder().setMinSessions(0).build()))) {
      long deleted =
          onParallel(
              Mono.defer(
                  () ->
                      SpannerTransactions.readWrite(
                          fresh.getDatabaseClient(database.id()),
                          tx ->
                              tx.executeUpdate(Statement.of("DELETE FROM Things WHERE Id = 0")))));
      assertThat(deleted).isZero();
      assertThat(BLOCKED).isEmpty();
    }
  }
}
