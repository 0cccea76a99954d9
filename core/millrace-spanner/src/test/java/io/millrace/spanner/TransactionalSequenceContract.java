package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Statement;
import com.google.spanner.v1.CommitRequest;
import com.google.spanner.v1.ReadRequest;
import io.grpc.Status;
import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceNotFoundException;
import io.millrace.TransactionalSequence;
import io.millrace.insert.spi.TimeLimit;
import io.millrace.test.emulator.EmulatorDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

/** What a sequence inside transactions promises, on each kind of database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class TransactionalSequenceContract {

  static final Duration LIMIT = Duration.ofSeconds(60);

  private EmulatorDatabase database;
  private DatabaseClient client;
  private SpannerSequenceStore store;
  private String name = "";
  private TransactionalSequence<SpannerTransaction> sequence;

  @BeforeAll
  void connect(EmulatorDatabase created) {
    database = created;
    client = created.client();
    store = SpannerSequenceStore.create(client);
    created.update(store.createTableDdl(created.dialect()));
  }

  @BeforeEach
  void create() {
    name = "invoice_" + UUID.randomUUID();
    await(store.create(name, 1));
    sequence = store.transactional(name);
  }

  private static <T> List<T> await(Mono<T> work) {
    List<T> values = new ArrayList<>();
    StepVerifier.create(work)
        .recordWith(() -> values)
        .thenConsumeWhile(v -> true)
        .expectComplete()
        .verify(LIMIT);
    return values;
  }

  private long nextValue(String of) {
    return await(store.state(of)).get(0).nextValue();
  }

  @Test
  void valuesOfATransactionRiseByOneAndTheNextTransactionGoesOn() {
    Mono<List<Long>> three =
        SpannerTransactions.readWrite(
            client,
            tx ->
                sequence
                    .next(tx)
                    .flatMap(
                        a ->
                            sequence
                                .next(tx)
                                .flatMap(b -> sequence.next(tx).map(c -> List.of(a, b, c)))));
    assertThat(await(three)).containsExactly(List.of(1L, 2L, 3L));
    assertThat(await(three)).containsExactly(List.of(4L, 5L, 6L));
    assertThat(nextValue(name)).isEqualTo(7);
  }

  @Test
  void manyValuesAtATimeAreConsecutive() {
    assertThat(
            await(
                SpannerTransactions.readWrite(
                    client,
                    tx ->
                        sequence
                            .next(tx, 3)
                            .zipWith(sequence.next(tx, 2), (a, b) -> List.of(a, b)))))
        .containsExactly(List.of(List.of(1L, 2L, 3L), List.of(4L, 5L)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SpannerTransactions.readWrite(client, tx -> sequence.next(tx, 0)).block())
        .withMessageContaining("0");
  }

  @Test
  void aCountBelowOneIsRefusedByTheCallItself() {
    assertThat(
            await(
                SpannerTransactions.readWrite(
                    client,
                    tx -> {
                      assertThatIllegalArgumentException()
                          .isThrownBy(() -> sequence.next(tx, 0))
                          .withMessageContaining("0");
                      return Mono.just("done");
                    })))
        .containsExactly("done");
    assertThat(nextValue(name)).isEqualTo(1);
  }

  @Test
  void aSequenceNamesItselfAndItsTable() {
    assertThat(sequence.name()).isEqualTo(name);
    assertThat(sequence).hasToString("TransactionalSequence[" + name + " in sequences]");
  }

  @Test
  void concurrentCallsInOneTransactionShareOneReadAndOneMutation() {
    try (Wire wire = new Wire(database)) {
      List<Long> values =
          await(
                  SpannerTransactions.readWrite(
                      wire.client(),
                      tx -> Flux.range(0, 50).flatMap(i -> sequence.next(tx), 50).collectList()))
              .get(0);
      assertThat(values)
          .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 50).boxed().toList());
      List<CommitRequest> commits = wire.requests(CommitRequest.class);
      // Where the emulator aborts at random there are several attempts.
      assertThat(wire.requests(ReadRequest.class)).hasSameSizeAs(commits);
      assertThat(commits)
          .allSatisfy(
              commit -> {
                assertThat(commit.getMutationsList()).hasSize(1);
                // The client joins mutations of the same kind: each would be a list of values here.
                assertThat(commit.getMutations(0).getUpdate().getValuesList()).hasSize(1);
              });
    }
  }

  @Test
  void twoObjectsOfASequenceNeverGiveTheSameValueInATransaction() {
    TransactionalSequence<SpannerTransaction> other =
        SpannerSequenceStore.create(client).transactional(name);
    assertThat(
            await(
                SpannerTransactions.readWrite(
                    client, tx -> sequence.next(tx).zipWith(other.next(tx), List::of))))
        .containsExactly(List.of(1L, 2L));
    assertThat(nextValue(name)).isEqualTo(3);
  }

  @Test
  void twoSequencesInOneTransactionCountApart() {
    String second = "second_" + UUID.randomUUID();
    await(store.create(second, 100));
    TransactionalSequence<SpannerTransaction> other = store.transactional(second);
    assertThat(
            await(
                SpannerTransactions.readWrite(
                    client,
                    tx ->
                        Flux.merge(
                                sequence.next(tx),
                                other.next(tx),
                                sequence.next(tx),
                                other.next(tx))
                            .sort()
                            .collectList())))
        .containsExactly(List.of(1L, 2L, 100L, 101L));
    assertThat(nextValue(name)).isEqualTo(3);
    assertThat(nextValue(second)).isEqualTo(102);
  }

  @Test
  void aRollbackLeavesNoGap() {
    StepVerifier.create(
            SpannerTransactions.readWrite(
                client,
                tx -> sequence.next(tx, 10).then(Mono.error(new IllegalStateException("no")))))
        .expectErrorMessage("no")
        .verify(LIMIT);
    assertThat(await(SpannerTransactions.readWrite(client, sequence::next))).containsExactly(1L);
  }

  @Test
  void aValueIsNotGivenOnceTheCommitIsOnItsWay() {
    List<SpannerTransaction> leaked = new CopyOnWriteArrayList<>();
    await(
        SpannerTransactions.readWrite(
            client, tx -> sequence.next(tx).doOnNext(v -> leaked.add(tx))));
    StepVerifier.create(sequence.next(leaked.get(0)))
        .expectError(IllegalStateException.class)
        .verify(LIMIT);
    assertThat(nextValue(name)).isEqualTo(2);
  }

  @Test
  void aTransactionThatTakesNoValueChangesNothing() {
    AtomicInteger unused = new AtomicInteger();
    await(
        SpannerTransactions.readWrite(
            client, tx -> Mono.fromCallable(unused::incrementAndGet).flux().next()));
    assertThat(nextValue(name)).isEqualTo(1);
  }

  @Test
  void aMissingRowIsNamedWithWhatCreatesIt() {
    TransactionalSequence<SpannerTransaction> missing = store.transactional("nobody's");
    StepVerifier.create(SpannerTransactions.readWrite(client, missing::next))
        .expectErrorSatisfies(
            e ->
                assertThat(e)
                    .isInstanceOf(SequenceNotFoundException.class)
                    .hasMessageContaining("nobody's")
                    .hasMessageContaining("INSERT INTO"))
        .verify(LIMIT);
  }

  @Test
  void aFailedReadReachesEveryCallerAndIsNotKept() {
    String late = "late_" + UUID.randomUUID();
    TransactionalSequence<SpannerTransaction> missing = store.transactional(late);
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    Mono<Long> failing =
        SpannerTransactions.readWrite(
            client,
            tx -> {
              failures.clear();
              return Flux.range(0, 5)
                  .flatMap(
                      i ->
                          missing
                              .next(tx)
                              .onErrorResume(
                                  e -> {
                                    failures.add(e);
                                    return Mono.empty();
                                  }))
                  .count();
            });
    assertThat(await(failing)).containsExactly(0L);
    assertThat(failures).hasSize(5).hasOnlyElementsOfType(SequenceNotFoundException.class);
    await(store.create(late, 5));
    assertThat(await(SpannerTransactions.readWrite(client, missing::next))).containsExactly(5L);
  }

  @Test
  void aReadThatFailedIsTriedAgainByALaterCallOfTheSameTransaction() {
    String late = "late_" + UUID.randomUUID();
    TransactionalSequence<SpannerTransaction> missing = store.transactional(late);
    Statement insert =
        Statement.of("INSERT INTO sequences (name, next_value) VALUES ('" + late + "', 5)");
    assertThat(
            await(
                SpannerTransactions.readWrite(
                    client,
                    tx ->
                        missing
                            .next(tx)
                            .onErrorResume(
                                SequenceNotFoundException.class,
                                e -> tx.executeUpdate(insert).then(missing.next(tx))))))
        .containsExactly(5L);
    assertThat(nextValue(late)).isEqualTo(6);
  }

  @Test
  void theEndOfTheRangeIsAnErrorAndNoWrappedNumber() {
    String full = "full_" + UUID.randomUUID();
    await(store.create(full, Long.MAX_VALUE - 2));
    TransactionalSequence<SpannerTransaction> nearlyFull = store.transactional(full);
    assertThat(await(SpannerTransactions.readWrite(client, tx -> nearlyFull.next(tx, 2))))
        .containsExactly(List.of(Long.MAX_VALUE - 2, Long.MAX_VALUE - 1));
    StepVerifier.create(SpannerTransactions.readWrite(client, nearlyFull::next))
        .expectError(SequenceExhaustedException.class)
        .verify(LIMIT);
    assertThat(nextValue(full)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void eightContendingTransactionsTakeEveryValueOnceAndLeaveNoGap() {
    int transactions = 80;
    AtomicInteger attempts = new AtomicInteger();
    List<Long> values =
        await(
                Flux.range(0, transactions)
                    .flatMap(
                        i ->
                            SpannerTransactions.readWrite(
                                client,
                                tx -> {
                                  attempts.incrementAndGet();
                                  return Mono.zip(sequence.next(tx), sequence.next(tx))
                                      .map(pair -> List.of(pair.getT1(), pair.getT2()));
                                }),
                        8)
                    .flatMapIterable(pair -> pair)
                    .collectList())
            .get(0);
    assertThat(values)
        .containsExactlyInAnyOrderElementsOf(
            LongStream.rangeClosed(1, 2L * transactions).boxed().toList());
    assertThat(nextValue(name)).isEqualTo(2L * transactions + 1);
    if (!abortsAtRandom()) {
      assertThat(attempts).as("they wait for each other").hasValue(transactions);
    }
  }

  /** Whether the emulator aborts transactions also without a conflict. */
  boolean abortsAtRandom() {
    return false;
  }

  @Test
  void transactionsThatLeaveWhileTheyWaitKeepNoOtherWaiting() {
    Sinks.Empty<Void> taken = Sinks.empty();
    Sinks.One<Boolean> mayCommit = Sinks.one();
    List<Long> values = new CopyOnWriteArrayList<>();
    Sinks.Empty<Void> done = Sinks.empty();
    SpannerTransactions.readWrite(
            client,
            tx ->
                sequence
                    .next(tx)
                    .doOnNext(value -> taken.tryEmitEmpty())
                    .delayUntil(value -> mayCommit.asMono()))
        .subscribe(values::add);
    await(taken.asMono());
    List<Disposable> leaving = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      leaving.add(SpannerTransactions.readWrite(client, sequence::next).subscribe(values::add));
    }
    SpannerTransactions.readWrite(client, sequence::next)
        .subscribe(values::add, done::tryEmitError, done::tryEmitEmpty);
    leaving.forEach(Disposable::dispose);
    mayCommit.tryEmitValue(true);
    await(done.asMono());
    assertThat(values).containsExactly(1L, 2L);
    assertThat(nextValue(name)).isEqualTo(3);
  }

  @Test
  void theNextTransactionWaitsUntilTheOneBeforeHasDeliveredItsResult() {
    Sinks.Empty<Void> taken = Sinks.empty();
    Sinks.One<Boolean> mayCommit = Sinks.one();
    CountDownLatch second = new CountDownLatch(1);
    AtomicReference<Boolean> overtaken = new AtomicReference<>();
    Mono<Long> first =
        SpannerTransactions.readWrite(
                client,
                tx ->
                    sequence
                        .next(tx)
                        .doOnNext(value -> taken.tryEmitEmpty())
                        .delayUntil(value -> mayCommit.asMono()))
            .doOnNext(value -> overtaken.set(isDownSoon(second)));
    Sinks.Empty<Void> done = Sinks.empty();
    first.subscribe();
    await(taken.asMono());
    SpannerTransactions.readWrite(
            client, tx -> sequence.next(tx).doOnNext(value -> second.countDown()))
        .subscribe(value -> {}, done::tryEmitError, done::tryEmitEmpty);
    mayCommit.tryEmitValue(true);
    await(done.asMono());
    assertThat(overtaken).hasValue(false);
  }

  private static boolean isDownSoon(CountDownLatch latch) {
    try {
      return latch.await(500, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aRowTheApplicationWritesItselfCommitsWithItsNumber() {
    assertThat(
            await(
                SpannerTransactions.readWrite(
                    client,
                    tx ->
                        sequence
                            .next(tx)
                            .doOnNext(
                                n ->
                                    tx.buffer(
                                        Mutation.newInsertBuilder("sequences")
                                            .set("name")
                                            .to(name + n)
                                            .set("next_value")
                                            .to(n)
                                            .build())))))
        .containsExactly(1L);
    assertThat(nextValue(name + 1)).isEqualTo(1);
  }

  private static final class Deliberate extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Deliberate() {
      super("on purpose");
    }
  }

  @Test
  void eachAttemptTakesTheSameNumber() {
    try (Wire wire = new Wire(database)) {
      List<Long> taken = new CopyOnWriteArrayList<>();
      wire.lose("Commit", Status.ABORTED);
      assertThat(
              await(
                  SpannerTransactions.readWrite(
                      wire.client(), tx -> sequence.next(tx).doOnNext(taken::add))))
          .containsExactly(1L);
      assertThat(taken).hasSizeGreaterThan(1).containsOnly(1L);
    }
    assertThat(nextValue(name)).isEqualTo(2);
  }

  @Test
  void aNumberTakenLastIsReadAfterTheWork() {
    try (Wire wire = new Wire(database)) {
      await(
          SpannerTransactions.readWrite(
              wire.client(),
              tx -> {
                wire.clear();
                return tx.readRow("sequences", Key.of("none"), List.of("name"))
                    .then(sequence.next(tx));
              }));
      assertThat(wire.requests(ReadRequest.class))
          .extracting(read -> read.getKeySet().getKeys(0).getValues(0).getStringValue())
          .containsExactly("none", name);
    }
  }

  /** Each fourth transaction fails in its work, or with its number. */
  @Test
  void numbersTakenLastHaveNoGapAndAreInTheOrderOfTheCommits() {
    int transactions = 60;
    List<CommittedTransaction<Long>> committed =
        await(
                Flux.range(0, transactions)
                    .flatMap(
                        i ->
                            SpannerTransactions.committed(
                                    client,
                                    SpannerTransactionOptions.defaults(),
                                    TimeLimit.NONE,
                                    tx -> work(i).then(sequence.next(tx)).flatMap(n -> end(i, n)))
                                .onErrorResume(Deliberate.class, failure -> Mono.empty()),
                        8)
                    .collectList())
            .get(0);
    assertThat(
            committed.stream()
                .sorted(Comparator.comparing(CommittedTransaction::timestamp))
                .map(transaction -> transaction.result().orElseThrow()))
        .containsExactlyElementsOf(LongStream.rangeClosed(1, transactions / 2).boxed().toList());
    assertThat(nextValue(name)).isEqualTo(transactions / 2 + 1);
  }

  private static Mono<Void> work(int transaction) {
    return Mono.delay(Duration.ofMillis(transaction % 5))
        .then(transaction % 4 == 1 ? Mono.error(new Deliberate()) : Mono.empty());
  }

  private static Mono<Long> end(int transaction, long number) {
    return transaction % 4 == 2 ? Mono.error(new Deliberate()) : Mono.just(number);
  }

  @Test
  void transactionsThatTakeNumbersInTheOrderOfTheirNamesAllCommit() {
    String second = name + "_second";
    await(store.create(second, 1));
    TransactionalSequence<SpannerTransaction> other = store.transactional(second);
    await(
        Flux.range(0, 20)
            .flatMap(
                i ->
                    SpannerTransactions.readWrite(
                        client, tx -> sequence.next(tx).then(other.next(tx))),
                4)
            .then());
    assertThat(nextValue(name)).isEqualTo(21);
    assertThat(nextValue(second)).isEqualTo(21);
  }
}
