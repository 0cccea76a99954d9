package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.cloud.Timestamp;
import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.Value;
import com.google.spanner.v1.CommitRequest;
import com.google.spanner.v1.ExecuteBatchDmlRequest;
import io.grpc.Status;
import io.millrace.TransactionalSequence;
import io.millrace.insert.InsertFailedException;
import io.millrace.insert.InsertOutcome;
import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.InsertOutcome.Rejected;
import io.millrace.insert.RowTooLargeException;
import io.millrace.insert.RowWriter;
import io.millrace.test.emulator.EmulatorDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

/** What pipelines promise on a real server, in each dialect. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SpannerInsertsBehaviour {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Not repeated by the client itself, as UNAVAILABLE would be. */
  private static final Status LOST = Status.INTERNAL.withDescription("the answer was lost");

  /** Each test has its own range of ids. */
  private static final AtomicLong RANGES = new AtomicLong();

  record Order(long id, String customer) {

    void writeTo(Mutation.WriteBuilder row) {
      row.set("id").to(id);
      row.set("customer").to(customer);
      row.set("saved_at").to(Value.COMMIT_TIMESTAMP);
    }

    Order withId(long number) {
      return new Order(number, customer);
    }

    Mutation insert() {
      Mutation.WriteBuilder row = Mutation.newInsertBuilder("orders");
      writeTo(row);
      return row.build();
    }

    Mutation byCustomer() {
      return Mutation.newInsertBuilder("orders_by_customer")
          .set("customer")
          .to(customer)
          .set("id")
          .to(id)
          .build();
    }
  }

  private EmulatorDatabase database;
  private DatabaseClient plain;
  private SpannerSequenceStore store;
  private Wire wire;
  private long base;

  @BeforeAll
  void keep(EmulatorDatabase created) {
    database = created;
    plain = created.client();
    store = SpannerSequenceStore.create(plain);
    created.update(store.createTableDdl(created.dialect()));
  }

  @BeforeEach
  void open() {
    wire = new Wire(database);
    base = RANGES.incrementAndGet() * 1_000_000;
  }

  @AfterEach
  void close() {
    wire.close();
  }

  private SpannerInserts<Order> inserts() {
    return SpannerInserts.into(wire.client(), "orders", Order::writeTo)
        .retries(3, Duration.ofMillis(1), Duration.ofMillis(10));
  }

  private Flux<Order> orders(int count) {
    return Flux.range(0, count).map(i -> new Order(base + i, "c" + i % 7));
  }

  private static <T> List<T> await(Flux<T> flux) {
    return flux.collectList().blockOptional(LIMIT).orElseThrow();
  }

  private static InsertFailedException failure(Flux<?> flux) {
    return Objects.requireNonNull(
        catchThrowableOfType(InsertFailedException.class, () -> flux.blockLast(LIMIT)));
  }

  /** Customers by id, of this test's range. */
  private Map<Long, String> stored() {
    Map<Long, String> rows = new TreeMap<>();
    try (ResultSet found =
        plain.singleUse().read("orders", KeySet.all(), List.of("id", "customer"))) {
      while (found.next()) {
        if (found.getLong(0) / 1_000_000 == base / 1_000_000) {
          rows.put(found.getLong(0), found.getString(1));
        }
      }
    }
    return rows;
  }

  private List<Long> ids(int count) {
    return IntStream.range(0, count).mapToObj(i -> base + i).toList();
  }

  private void store(Order order) {
    plain.write(List.of(order.insert()));
  }

  private Instant savedAt(long id) {
    Timestamp at =
        plain.singleUse().readRow("orders", Key.of(id), List.of("saved_at")).getTimestamp(0);
    return Instant.ofEpochSecond(at.getSeconds(), at.getNanos());
  }

  private List<Integer> rowsOfCommits() {
    return wire.requests(CommitRequest.class).stream()
        .map(
            commit ->
                commit.getMutationsList().stream()
                    .mapToInt(mutation -> mutation.getInsert().getValuesCount())
                    .sum())
        .toList();
  }

  @Test
  void rowsAreWrittenInGroupsAndEmittedInOrderIfAsked() {
    List<Order> emitted =
        await(orders(1_000).transform(inserts().groupSize(100).concurrency(4).ordered().rows()));
    assertThat(emitted).extracting(Order::id).containsExactlyElementsOf(ids(1_000));
    assertThat(stored()).hasSize(1_000).containsEntry(base + 8, "c1");
    assertThat(rowsOfCommits()).isNotEmpty().containsOnly(100);
  }

  @Test
  void theTimestampOfACommitIsTheOneInTheTable() {
    List<Committed<Order>> commits =
        await(orders(10).transform(inserts().groupSize(5).concurrency(1).commits()));
    assertThat(commits).hasSize(10);
    for (Committed<Order> commit : commits) {
      assertThat(commit.timestamp()).contains(savedAt(commit.row().id()));
    }
    assertThat(commits.get(0).timestamp()).isNotEqualTo(commits.get(9).timestamp());
  }

  @Test
  void aGroupStaysWithinTheCellsOfRowsAndTheirIndexEntries() {
    await(
        orders(100)
            .transform(
                inserts().indexEntries(2).maxCells(50).groupSize(100).concurrency(1).rows()));
    assertThat(rowsOfCommits()).as("three columns and two index entries a row").containsOnly(10);
    assertThat(stored()).hasSize(100);
  }

  @Test
  void aDuplicateKeyFailsItsGroup() {
    store(new Order(base + 15, "other"));
    InsertFailedException failure =
        failure(orders(30).transform(inserts().groupSize(10).concurrency(1).rows()));
    assertThat(failure.rows())
        .extracting(row -> ((Order) row).id())
        .containsExactlyElementsOf(ids(20).subList(10, 20));
    assertThat(failure.committed()).isEqualTo(10);
    assertThat(failure.isOutcomeUnknown()).isFalse();
    assertThat(failure.getCause())
        .isInstanceOfSatisfying(
            SpannerException.class,
            cause -> assertThat(cause.getErrorCode()).isEqualTo(ErrorCode.ALREADY_EXISTS));
    assertThat(stored()).hasSize(11).containsEntry(base + 15, "other");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void rejectsOnlyARowWithADuplicateKey(boolean dml) {
    store(new Order(base + 15, "other"));
    store(new Order(base + 28, "other"));
    SpannerInserts<Order> inserts = inserts().groupSize(20).concurrency(2);
    if (dml) {
      inserts.dml();
    }
    List<InsertOutcome<Order>> outcomes = await(orders(40).transform(inserts.outcomes()));
    assertThat(outcomes).hasSize(40);
    assertThat(outcomes)
        .filteredOn(outcome -> !(outcome instanceof Committed))
        .hasOnlyElementsOfType(Rejected.class)
        .extracting(outcome -> outcome.row().id())
        .containsExactlyInAnyOrder(base + 15, base + 28);
    assertThat(stored())
        .hasSize(40)
        .containsEntry(base + 15, "other")
        .containsEntry(base + 16, "c2");
  }

  private static List<Long> rejected(List<InsertOutcome<Order>> outcomes) {
    return outcomes.stream()
        .filter(Rejected.class::isInstance)
        .map(outcome -> outcome.row().id())
        .toList();
  }

  @Test
  void existingKeysAreLookedUpAndTakeATransactionEach() {
    store(new Order(base + 5, "other"));
    store(new Order(base + 12, "other"));
    assertThat(rejected(await(orders(16).transform(inserts().groupSize(16).outcomes()))))
        .containsExactly(base + 5, base + 12);
    assertThat(wire.calls()).filteredOn("StreamingRead"::equals).as("look-ups").hasSize(1);
    assertThat(wire.requests(CommitRequest.class))
        .as("all rows; those that do not exist; each of the others")
        .hasSize(4);
  }

  @Test
  void aRowThatViolatesTheSchemaRejectsNoOther() {
    SpannerInserts<Order> withoutCustomer =
        SpannerInserts.into(
            wire.client(),
            "orders",
            (order, row) -> {
              row.set("id").to(order.id());
              if (order.id() != base + 2) {
                row.set("customer").to(order.customer());
              }
            });
    assertThat(rejected(await(orders(5).transform(withoutCustomer.outcomes()))))
        .containsExactly(base + 2);
    assertThat(stored()).containsOnlyKeys(base, base + 1, base + 3, base + 4);
  }

  private static void assertRejectedForWantOfTheTable(List<InsertOutcome<Order>> outcomes) {
    assertThat(outcomes)
        .hasSize(10)
        .allSatisfy(
            outcome ->
                assertThat(outcome)
                    .isInstanceOfSatisfying(
                        Rejected.class,
                        rejected ->
                            assertThat(rejected.reason())
                                .isInstanceOf(SpannerException.class)
                                .hasMessageContaining("nowhere")));
  }

  @Test
  void aMissingTableRejectsTheGroupAndIsAskedOnce() {
    assertRejectedForWantOfTheTable(
        await(
            orders(10)
                .transform(
                    SpannerInserts.into(wire.client(), "nowhere", Order::writeTo).outcomes())));
    assertThat(wire.requests(CommitRequest.class)).as("not repeated and not split").hasSize(1);
  }

  private static Mutation nowhere(Order order) {
    return Mutation.newInsertBuilder("nowhere").set("id").to(order.id()).build();
  }

  @Test
  void aMissingTableRejectsOnlyTheRowsThatAreWrittenToIt() {
    SpannerInserts<Order> inserts =
        SpannerInserts.<Order>mutations(
            wire.client(),
            order -> List.of(order.id() == base + 2 ? nowhere(order) : order.insert()));
    assertThat(rejected(await(orders(4).transform(inserts.outcomes())))).containsExactly(base + 2);
    assertThat(stored()).containsOnlyKeys(base, base + 1, base + 3);
  }

  @Test
  void aMissingTableOfAllRowsIsAskedOnce() {
    assertRejectedForWantOfTheTable(
        await(
            orders(10)
                .transform(
                    SpannerInserts.<Order>mutations(
                            wire.client(), order -> List.of(order.insert(), nowhere(order)))
                        .outcomes())));
    assertThat(wire.requests(CommitRequest.class)).hasSize(1);
  }

  @Test
  void aMissingTableRejectsTheGroupThatIsWrittenWithDml() {
    assertRejectedForWantOfTheTable(
        await(
            orders(10)
                .transform(
                    SpannerInserts.into(wire.client(), "nowhere", Order::writeTo)
                        .dml()
                        .outcomes())));
    assertThat(wire.requests(ExecuteBatchDmlRequest.class)).hasSize(1);
  }

  @Test
  void insertOrUpdateReplacesRowsThatExist() {
    store(new Order(base + 3, "other"));
    await(orders(5).transform(inserts().insertOrUpdate().rows()));
    assertThat(stored()).hasSize(5).containsEntry(base + 3, "c3");
  }

  @Test
  void dmlIsSentInOneBatchAGroup() {
    List<Committed<Order>> commits =
        await(orders(20).transform(inserts().dml().groupSize(10).concurrency(1).commits()));
    assertThat(stored()).hasSize(20);
    assertThat(commits).allSatisfy(c -> assertThat(c.timestamp()).contains(savedAt(c.row().id())));
    assertThat(wire.requests(ExecuteBatchDmlRequest.class))
        .isNotEmpty()
        .allSatisfy(batch -> assertThat(batch.getStatementsCount()).isEqualTo(10));
  }

  @Test
  void theMutationsOfAnElementAreCommittedTogether() {
    SpannerInserts<Order> both =
        SpannerInserts.<Order>mutations(
            wire.client(), order -> List.of(order.insert(), order.byCustomer()));
    plain.write(List.of(new Order(base + 2, "c2").byCustomer()));
    assertThat(rejected(await(orders(4).transform(both.outcomes())))).containsExactly(base + 2);
    assertThat(stored()).containsOnlyKeys(base, base + 1, base + 3);
  }

  @Test
  void anAnswerThatIsLostAfterTheCommitLosesNoRowAndDoublesNone() {
    wire.answerCommitWith(LOST);
    List<Committed<Order>> commits =
        await(orders(20).transform(inserts().groupSize(10).concurrency(1).ordered().commits()));
    assertThat(commits).extracting(commit -> commit.row().id()).containsExactlyElementsOf(ids(20));
    assertThat(commits.get(0).timestamp()).as("from its column").contains(savedAt(base));
    assertThat(stored()).hasSize(20);
    assertThat(wire.requests(CommitRequest.class)).as("the lost one was not sent again").hasSize(2);
  }

  @Test
  void aLostAnswerToDmlIsRecognised() {
    wire.answerCommitWith(LOST);
    assertThat(await(orders(3).transform(inserts().dml().rows()))).hasSize(3);
    assertThat(stored()).hasSize(3);
  }

  @Test
  void aServerThatComesBackGetsTheRowsAndOneThatStaysAwayRejectsThem() {
    wire.lose("ExecuteBatchDml", LOST);
    wire.lose("ExecuteBatchDml", LOST);
    assertThat(await(orders(5).transform(inserts().dml().rows()))).hasSize(5);
    assertThat(stored()).hasSize(5);

    base = RANGES.incrementAndGet() * 1_000_000;
    for (int i = 0; i < 4; i++) {
      wire.lose("ExecuteBatchDml", LOST);
    }
    List<InsertOutcome<Order>> outcomes = await(orders(5).transform(inserts().dml().outcomes()));
    assertThat(outcomes).hasSize(5).hasOnlyElementsOfType(Rejected.class);
    assertThat(stored()).isEmpty();
  }

  @Test
  void rowsOfManyCallersAreNumberedWithoutGapsInFewTransactions() {
    TransactionalSequence<SpannerTransaction> sequence = sequence();
    RowWriter<Order> writer = inserts().numbered(sequence, Order::withId).writer();
    List<Order> saved =
        await(
            Flux.range(0, 60)
                .flatMap(
                    i ->
                        writer
                            .write(new Order(0, "caller " + i))
                            .doOnNext(own -> assertThat(own.customer()).isEqualTo("caller " + i)),
                    60));
    writer.disposeLater().block(LIMIT);
    assertThat(saved).extracting(Order::id).containsExactlyInAnyOrderElementsOf(ids(60));
    assertThat(stored()).hasSize(60);
    saved.forEach(each -> assertThat(stored()).containsEntry(each.id(), each.customer()));
    assertThat(nextValueOf(sequence)).isEqualTo(base + 60);
    assertThat(wire.requests(CommitRequest.class)).hasSizeLessThan(10);
  }

  /** Rows that are written again are no reason to write each of them alone. */
  @Test
  void findsAnUpsertThatViolatesAUniqueIndexByHalves() {
    int rows = 16;
    SpannerInserts<Order> members =
        SpannerInserts.<Order>into(
                wire.client(),
                "members",
                (order, row) -> {
                  row.set("id").to(order.id());
                  row.set("email").to(order.customer());
                })
            .insertOrUpdate();
    Flux<Order> distinct = Flux.range(0, rows + 1).map(i -> new Order(base + i, base + " at " + i));
    assertThat(await(distinct.transform(members.outcomes())))
        .hasSize(rows + 1)
        .hasOnlyElementsOfType(Committed.class);
    wire.clear();
    List<InsertOutcome<Order>> outcomes =
        await(
            distinct
                .take(rows)
                .map(each -> each.id() == base + 5 ? new Order(each.id(), base + " at 16") : each)
                .transform(members.ordered().outcomes()));
    assertThat(outcomes).filteredOn(Committed.class::isInstance).hasSize(rows - 1);
    assertThat(outcomes.get(5)).isInstanceOf(Rejected.class);
    assertThat(wire.requests(CommitRequest.class))
        .as("of the group, and two for each halving")
        .hasSize(1 + 2 * 4);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aNumberedGroupThatIsTooLargeForACommitIsSplit(boolean inBytes) {
    TransactionalSequence<SpannerTransaction> sequence = sequence();
    SpannerInserts<Order> inserts = inserts();
    if (inBytes) {
      inserts.maxBytes(4 * (8 + 2 + 12));
    } else {
      inserts.maxCells(4 * 3);
    }
    List<Order> rows =
        await(
            orders(16)
                .transform(
                    inserts.numbered(sequence, Order::withId).groupSize(16).concurrency(1).rows()));
    assertThat(rows).extracting(Order::id).containsExactlyElementsOf(ids(16));
    assertThat(wire.requests(CommitRequest.class)).hasSize(4);
  }

  @ParameterizedTest
  @CsvSource({"39995, 2", "39996, 1"})
  void aNumberedGroupLeavesRoomForTheCellsOfTheCounter(int indexEntries, int rowsOfACommit) {
    TransactionalSequence<SpannerTransaction> sequence = sequence();
    await(
        orders(2)
            .transform(
                inserts()
                    .indexEntries(indexEntries) // and three columns a row
                    .numbered(sequence, Order::withId)
                    .groupSize(2)
                    .concurrency(1)
                    .rows()));
    assertThat(rowsOfCommits()).containsOnly(rowsOfACommit);
    assertThat(stored()).containsOnlyKeys(ids(2));
  }

  @Test
  void aNumberedRowThatIsTooLargeIsRejectedWithItsSizeAndTheLimit() {
    int size = 8 + 2 + 12;
    List<InsertOutcome<Order>> outcomes =
        await(
            orders(4)
                .transform(
                    inserts()
                        .maxBytes(size - 1)
                        .numbered(sequence(), Order::withId)
                        .concurrency(1)
                        .outcomes()));
    assertThat(outcomes)
        .hasSize(4)
        .allSatisfy(
            outcome ->
                assertThat(outcome)
                    .isInstanceOfSatisfying(
                        Rejected.class,
                        rejected ->
                            assertThat(rejected.reason())
                                .hasMessage("a commit has at most 21 bytes, and a row has " + size)
                                .isInstanceOfSatisfying(
                                    RowTooLargeException.class,
                                    tooLarge ->
                                        assertThat(tooLarge.row())
                                            .as("without a number")
                                            .isEqualTo(outcome.row()))));
  }

  private long nextValueOf(TransactionalSequence<SpannerTransaction> sequence) {
    return store.state(sequence.name()).blockOptional(LIMIT).orElseThrow().nextValue();
  }

  /** A sequence that starts with this test's range. */
  private TransactionalSequence<SpannerTransaction> sequence() {
    String name = "numbers_" + base;
    store.create(name, base).block(LIMIT);
    return store.transactional(name);
  }

  @Test
  void namesAreCheckedBeforeAnyRequest() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SpannerInserts.<Order>into(wire.client(), "or\"ders", Order::writeTo))
        .withMessageContaining("'or\"ders'");
    SpannerInserts<Order> badColumn =
        SpannerInserts.into(wire.client(), "orders", (order, row) -> row.set("i`d").to(order.id()));
    assertThat(failure(orders(1).transform(badColumn.rows())).getCause())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'i`d'");
    SpannerInserts<Order> badTable =
        SpannerInserts.mutations(
            wire.client(), order -> List.of(Mutation.delete("a b", Key.of(1))));
    assertThat(failure(orders(1).transform(badTable.rows())).getCause())
        .hasMessageContaining("'a b'");
    SpannerInserts<Order> nothing = SpannerInserts.mutations(wire.client(), order -> List.of());
    assertThat(failure(orders(1).transform(nothing.rows())).getCause())
        .hasMessageStartingWith("a row was mapped to no mutation");
    assertThat(wire.calls()).isEmpty();
  }

  @Test
  void upsertsAndDmlAreNotCombined() {
    assertThatIllegalStateException()
        .isThrownBy(() -> inserts().dml().insertOrUpdate())
        .withMessage("insertOrUpdate() cannot be combined with dml()");
    assertThatIllegalStateException()
        .isThrownBy(() -> inserts().insertOrUpdate().dml())
        .withMessage("dml() cannot be combined with insertOrUpdate()");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> inserts().indexEntries(-1))
        .withMessageContaining("-1");
  }
}
