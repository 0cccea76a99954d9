package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.Statement;
import com.google.spanner.v1.CommitRequest;
import com.google.spanner.v1.ReadRequest;
import io.grpc.Status;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceStore;
import io.millrace.TransactionalSequence;
import io.millrace.TransactionalSequences;
import io.millrace.insert.spi.TimeLimit;
import io.millrace.test.contract.TransactionalSequenceContract;
import io.millrace.test.emulator.EmulatorDatabase;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** Numbers without gaps in transactions, on each kind of database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SpannerTransactionalSequenceBehaviour
    extends TransactionalSequenceContract<SpannerTransaction> {

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
    results(store.create(name, 1));
    sequence = store.transactional(name);
  }

  @Override
  protected SequenceStore store() {
    return store;
  }

  @Override
  protected TransactionalSequence<SpannerTransaction> transactional(String sequence) {
    return SpannerSequenceStore.create(client).transactional(sequence);
  }

  @Override
  protected TransactionalSequences<SpannerTransaction> transactionals() {
    return store.transactionals();
  }

  @Override
  protected <T> Mono<T> transaction(Function<SpannerTransaction, Mono<T>> body) {
    return SpannerTransactions.readWrite(client, body);
  }

  private static <T> List<T> results(Mono<T> work) {
    return work.flux().collectList().blockOptional(LIMIT).orElseThrow();
  }

  private long nextValueOf(String sequence) {
    return results(store.state(sequence)).get(0).nextValue();
  }

  @Test
  void concurrentCallsInOneTransactionShareOneReadAndOneMutation() {
    try (Wire wire = new Wire(database)) {
      List<Long> values =
          results(
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
  void givesNoNumberOnceTheCommitIsSent() {
    List<SpannerTransaction> leaked = new CopyOnWriteArrayList<>();
    results(
        SpannerTransactions.readWrite(
            client, tx -> sequence.next(tx).doOnNext(v -> leaked.add(tx))));
    StepVerifier.create(sequence.next(leaked.get(0)))
        .expectError(IllegalStateException.class)
        .verify(LIMIT);
    assertThat(nextValueOf(name)).isEqualTo(2);
  }

  @Test
  void everyCallerLearnsOfAFailedReadAndItIsNotKept() {
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
    assertThat(results(failing)).containsExactly(0L);
    assertThat(failures).hasSize(5).hasOnlyElementsOfType(SequenceNotFoundException.class);
    results(store.create(late, 5));
    assertThat(results(SpannerTransactions.readWrite(client, missing::next))).containsExactly(5L);
  }

  @Test
  void aLaterCallReadsAgainAfterAFailedRead() {
    String late = "late_" + UUID.randomUUID();
    TransactionalSequence<SpannerTransaction> missing = store.transactional(late);
    Statement insert =
        Statement.of("INSERT INTO sequences (name, next_value) VALUES ('" + late + "', 5)");
    assertThat(
            results(
                SpannerTransactions.readWrite(
                    client,
                    tx ->
                        missing
                            .next(tx)
                            .onErrorResume(
                                SequenceNotFoundException.class,
                                e -> tx.executeUpdate(insert).then(missing.next(tx))))))
        .containsExactly(5L);
    assertThat(nextValueOf(late)).isEqualTo(6);
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
              results(
                  SpannerTransactions.readWrite(
                      wire.client(), tx -> sequence.next(tx).doOnNext(taken::add))))
          .containsExactly(1L);
      assertThat(taken).hasSizeGreaterThan(1).containsOnly(1L);
    }
    assertThat(nextValueOf(name)).isEqualTo(2);
  }

  @Test
  void aNumberTakenLastIsReadAfterTheWork() {
    try (Wire wire = new Wire(database)) {
      results(
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
        results(
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
    assertThat(nextValueOf(name)).isEqualTo(transactions / 2 + 1);
  }

  private static Mono<Void> work(int transaction) {
    return Mono.delay(Duration.ofMillis(transaction % 5))
        .then(transaction % 4 == 1 ? Mono.error(new Deliberate()) : Mono.empty());
  }

  private static Mono<Long> end(int transaction, long number) {
    return transaction % 4 == 2 ? Mono.error(new Deliberate()) : Mono.just(number);
  }
}
