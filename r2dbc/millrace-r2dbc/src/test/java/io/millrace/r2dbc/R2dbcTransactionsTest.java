package io.millrace.r2dbc;

import static io.millrace.databases.DatabaseKind.H2;
import static io.millrace.databases.DatabaseKind.MARIADB;
import static io.millrace.databases.DatabaseKind.MYSQL;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceState;
import io.millrace.SequenceStoreException;
import io.millrace.TransactionRetriesExhaustedException;
import io.millrace.TransactionalSequence;
import io.millrace.databases.OnDatabases;
import io.millrace.databases.Pools;
import io.millrace.databases.R2dbcDatabase;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcRollbackException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

/**
 * Transactions that the library runs, and the numbers that they take. {@link
 * R2dbcTransactionsBlockHoundTest} runs it on PostgreSQL.
 */
@OnDatabases({H2, MYSQL, MARIADB})
class R2dbcTransactionsTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int CONNECTIONS = 3;

  private static final class Deliberate extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  @Parameter R2dbcDatabase database;
  private R2dbcDialect dialect;
  private R2dbcSequenceStore store;
  private ConnectionPool pool;
  private R2dbcTransactions transactions;
  private String name = "";
  private TransactionalSequence<Connection> sequence;

  @BeforeParameterizedClassInvocation
  void connect() {
    store = R2dbcSequenceStore.create(database.connections());
    dialect = R2dbcDialect.of(database.connections()).blockOptional(LIMIT).orElseThrow();
    store.createTable().block(LIMIT);
  }

  @BeforeEach
  void create() {
    name = "invoice_" + UUID.randomUUID();
    store.create(name, 1).block(LIMIT);
    sequence = store.transactional(name);
    pool = Pools.of(CONNECTIONS, database.connections());
    transactions = R2dbcTransactions.over(pool);
  }

  @AfterEach
  void everyConnectionIsBack() {
    assertThat(pool.getMetrics().orElseThrow().acquiredSize()).isZero();
    pool.dispose();
  }

  private long nextValue() {
    return store.state(name).map(SequenceState::nextValue).blockOptional(LIMIT).orElseThrow();
  }

  @Test
  void aTransactionCommitsAndGivesTheResultOfItsBody() {
    assertThat(transactions.readWrite(sequence::next).block(LIMIT)).isEqualTo(1);
    StepVerifier.create(transactions.readWrite(connection -> sequence.next(connection).then()))
        .expectComplete()
        .verify(LIMIT);
    assertThat(nextValue()).isEqualTo(3);
  }

  @Test
  void anErrorOfTheBodyRollsBackAndArrivesUnchanged() {
    StepVerifier.create(
            transactions.readWrite(
                connection -> sequence.next(connection).then(Mono.error(new Deliberate()))))
        .expectError(Deliberate.class)
        .verify(LIMIT);
    StepVerifier.create(
            transactions.<Long>readWrite(
                connection -> {
                  throw new Deliberate();
                }))
        .expectError(Deliberate.class)
        .verify(LIMIT);
    assertThat(nextValue()).isEqualTo(1);
  }

  /** Two transactions at once, which hold their connections until both have one. */
  private void useTwoConnections(R2dbcTransactions onTwo) {
    AtomicInteger begun = new AtomicInteger();
    Sinks.Empty<Void> both = Sinks.empty();
    Mono<Long> one =
        onTwo.readWrite(
            connection -> {
              if (begun.incrementAndGet() == 2) {
                both.tryEmitEmpty();
              }
              return both.asMono().thenReturn(1L);
            });
    Mono.when(one, one).block(LIMIT);
  }

  @Test
  void anErrorWithoutAFaultOfTheConnectionClosesNone() {
    WatchedConnections watched = new WatchedConnections(database.connections());
    ConnectionPool two = Pools.of(2, watched);
    R2dbcTransactions onTwo = R2dbcTransactions.over(two, dialect);
    useTwoConnections(onTwo);
    List<Throwable> failures =
        List.of(
            new Deliberate(),
            new IOException("of another server"),
            new IllegalStateException(new IOException("of another server")),
            new SequenceStoreException(
                "other",
                "was lost",
                new R2dbcNonTransientResourceException("of another", "08006")));
    watched.clear();
    for (int i = 0; i < 20; i++) {
      Throwable failure = failures.get(i % failures.size());
      StepVerifier.create(
              onTwo.readWrite(connection -> sequence.next(connection).then(Mono.error(failure))))
          .expectErrorSatisfies(arrived -> assertThat(arrived).isSameAs(failure))
          .verify(LIMIT);
    }
    useTwoConnections(onTwo);
    assertThat(watched.log()).contains("rollback").doesNotContain("create", "close");
    StepVerifier.create(
            onTwo.readWrite(
                connection ->
                    Mono.error(
                        new IllegalStateException(
                            new R2dbcNonTransientResourceException("lost", "08006")))))
        .expectError(IllegalStateException.class)
        .verify(LIMIT);
    useTwoConnections(onTwo);
    assertThat(watched.log().stream().filter("create"::equals)).hasSize(1);
    two.disposeLater().block(LIMIT);
  }

  @Test
  void aConflictOfAnotherTransactionIsNotTriedAgain() {
    R2dbcException conflict = new R2dbcRollbackException("deadlock", "40001");
    assertThat(dialect.failure(conflict)).isEqualTo(ErrorCategory.CONFLICT);
    AtomicInteger attempts = new AtomicInteger();
    for (RuntimeException foreign :
        List.of(
            new TransactionRetriesExhaustedException(100, Duration.ZERO, "100", conflict),
            new SequenceStoreException("other", "lost", conflict),
            new IllegalStateException(new SequenceStoreException("other", "lost", conflict)))) {
      attempts.set(0);
      StepVerifier.create(
              transactions.readWrite(
                  connection -> {
                    attempts.incrementAndGet();
                    return Mono.error(foreign);
                  }))
          .expectErrorSatisfies(arrived -> assertThat(arrived).isSameAs(foreign))
          .verify(LIMIT);
      assertThat(attempts).hasValue(1);
    }
  }

  @Test
  void aTransactionThatIsCancelledInItsBodyRollsBack() {
    WatchedConnections watched = new WatchedConnections(database.connections());
    Sinks.Empty<Void> inBody = Sinks.empty();
    Sinks.Empty<Void> end = Sinks.empty();
    Disposable running =
        R2dbcTransactions.over(watched, dialect)
            .readWrite(
                connection ->
                    Mono.fromRunnable(inBody::tryEmitEmpty)
                        .then(end.asMono())
                        .then(sequence.next(connection)))
            .subscribe();
    inBody.asMono().block(LIMIT);
    watched.clear();
    running.dispose();
    end.tryEmitEmpty();
    watched.awaitClosed();
    assertThat(watched.log()).endsWith("rollback", "close").doesNotContain("commit");
    assertThat(nextValue()).isEqualTo(1);
  }

  @Test
  void aTransactionThatLosesAConflictIsRunAgain() {
    AtomicInteger attempts = new AtomicInteger();
    assertThat(
            transactions
                .readWrite(
                    connection ->
                        attempts.incrementAndGet() == 1
                            ? Mono.error(new CounterChangedException(name))
                            : sequence.next(connection))
                .block(LIMIT))
        .isEqualTo(1);
    assertThat(attempts).hasValue(2);
  }

  /** Each fourth transaction fails in its work, or with its number. */
  @Test
  void numbersTakenLastHaveNoGapAndAreInTheOrderOfTheCommits() {
    int count = 40;
    List<Long> committed =
        Flux.range(0, count)
            .flatMap(
                i ->
                    transactions
                        .readWrite(
                            connection ->
                                work(i).then(sequence.next(connection)).flatMap(n -> end(i, n)))
                        .onErrorResume(Deliberate.class, failure -> Mono.empty()),
                2 * CONNECTIONS)
            .collectList()
            .blockOptional(LIMIT)
            .orElseThrow();
    assertThat(committed)
        .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, count / 2).boxed().toList());
    assertThat(nextValue()).isEqualTo(count / 2 + 1);
  }

  private static Mono<Void> work(int transaction) {
    return Mono.delay(Duration.ofMillis(transaction % 3))
        .then(transaction % 4 == 1 ? Mono.error(new Deliberate()) : Mono.empty());
  }

  private static Mono<Long> end(int transaction, long number) {
    return transaction % 4 == 2 ? Mono.error(new Deliberate()) : Mono.just(number);
  }

  @Test
  void theNextNumberWaitsForTheCommitOfTheOneBefore() {
    List<String> steps = new CopyOnWriteArrayList<>();
    Sinks.Empty<Void> first = Sinks.empty();
    Mono<Long> slow =
        transactions.readWrite(
            connection ->
                sequence
                    .next(connection)
                    .doOnNext(number -> first.tryEmitEmpty())
                    .delayElement(Duration.ofMillis(50))
                    .doOnNext(number -> steps.add(number + " ends")));
    Mono<Long> next =
        first
            .asMono()
            .then(
                transactions.readWrite(
                    connection ->
                        sequence
                            .next(connection)
                            .doOnNext(number -> steps.add(number + " begins"))));
    Mono.when(slow, next).block(LIMIT);
    assertThat(steps).containsExactly("1 ends", "2 begins");
  }
}
