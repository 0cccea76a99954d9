package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.TransactionalSequence;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.R2dbcDatabase;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.R2dbcException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.util.retry.Retry;

/**
 * Values without gaps, inside transactions of the application. {@link
 * TransactionalSequenceBlockHoundTest} runs it on the other databases.
 */
class TransactionalSequenceTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static final class Deliberate extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static Throwable failure(Mono<?> work) {
    return work.then(Mono.<Throwable>empty())
        .onErrorResume(Mono::just)
        .blockOptional(LIMIT)
        .orElseThrow();
  }

  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  abstract static class Behaviour {

    R2dbcDatabase database;
    R2dbcDialect dialect;
    R2dbcSequenceStore store;
    String name = "";

    @BeforeAll
    void connect(R2dbcDatabase created) {
      database = created;
      store = R2dbcSequenceStore.create(created.pooled());
      dialect = R2dbcDialect.of(created.pooled()).blockOptional(LIMIT).orElseThrow();
      store.createTable().block(LIMIT);
    }

    @BeforeEach
    void create() {
      name = "invoice_" + UUID.randomUUID();
      store.create(name, 1).block(LIMIT);
    }

    /** A transaction as an application writes it. */
    <T> Mono<T> transaction(ConnectionFactory source, Function<Connection, Mono<T>> body) {
      return Mono.usingWhen(
          Mono.defer(() -> Mono.from(source.create())),
          connection ->
              Mono.from(connection.beginTransaction())
                  .then(Mono.defer(() -> body.apply(connection)))
                  .flatMap(result -> Mono.from(connection.commitTransaction()).thenReturn(result))
                  .onErrorResume(
                      failure ->
                          Mono.from(connection.rollbackTransaction())
                              .onErrorComplete()
                              .then(Mono.error(failure))),
          Connection::close);
    }

    private <T> Mono<T> retried(Mono<T> work) {
      return work.retryWhen(
          Retry.backoff(100, Duration.ofMillis(10))
              .maxBackoff(Duration.ofMillis(200))
              .filter(failure -> dialect.failure(failure) == ErrorCategory.CONFLICT));
    }

    private long nextValue() {
      return store.state(name).map(SequenceState::nextValue).blockOptional(LIMIT).orElseThrow();
    }

    @Test
    void committedTransactionsHaveEveryValueOnceAndRolledBackOnesLeaveNoGap() {
      TransactionalSequence<Connection> sequence = store.transactional(name);
      AtomicInteger rolledBack = new AtomicInteger();
      List<Long> committed =
          Flux.range(0, 30)
              .flatMap(
                  i ->
                      retried(
                              transaction(
                                  database.pooled(),
                                  connection ->
                                      sequence
                                          .next(connection)
                                          .zipWith(sequence.next(connection, 1 + i % 3))
                                          .map(
                                              values ->
                                                  Flux.concat(
                                                      Flux.just(values.getT1()),
                                                      Flux.fromIterable(values.getT2())))
                                          .flatMap(Flux::collectList)
                                          .flatMap(
                                              values ->
                                                  i % 3 == 0
                                                      ? Mono.<List<Long>>error(new Deliberate())
                                                      : Mono.just(values))))
                          .subscribeOn(Schedulers.boundedElastic())
                          .onErrorResume(
                              Deliberate.class,
                              wanted -> {
                                rolledBack.incrementAndGet();
                                return Mono.empty();
                              }),
                  4)
              .flatMapIterable(Function.identity())
              .collectList()
              .block(LIMIT);
      assertThat(rolledBack).hasValue(10);
      assertThat(committed)
          .hasSize(20 + 10 * 2 + 10 * 3)
          .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 70).boxed().toList());
      assertThat(nextValue()).isEqualTo(71);
    }

    @Test
    void callsOfOneTransactionGetDifferentValuesAlsoAtOnceAndThroughTwoObjects() {
      TransactionalSequence<Connection> one = store.transactional(name);
      TransactionalSequence<Connection> other =
          R2dbcSequenceStore.create(database.pooled()).transactional(name);
      List<Long> values =
          transaction(
                  database.pooled(),
                  connection ->
                      Flux.range(0, 24)
                          .flatMap(
                              i ->
                                  (i % 2 == 0 ? one : other)
                                      .next(connection, 1 + i % 2)
                                      .subscribeOn(Schedulers.parallel()),
                              24)
                          .flatMapIterable(Function.identity())
                          .collectList())
              .block(LIMIT);
      assertThat(values)
          .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 36).boxed().toList());
      assertThat(nextValue()).isEqualTo(37);
    }

    @Test
    void aRollbackGivesTheValuesBack() {
      TransactionalSequence<Connection> sequence = store.transactional(name);
      StepVerifier.create(
              transaction(
                  database.pooled(),
                  connection ->
                      sequence.next(connection, 5).flatMap(ids -> Mono.error(new Deliberate()))))
          .expectError(Deliberate.class)
          .verify(LIMIT);
      assertThat(transaction(database.pooled(), sequence::next).block(LIMIT)).isEqualTo(1);
    }

    @Test
    void aConnectionOfAPoolServesToo() {
      ConnectionPool pool = Pools.of(1, database.pooled());
      TransactionalSequence<Connection> sequence = store.transactional(name);
      assertThat(
              transaction(pool, connection -> sequence.next(connection, 2))
                  .repeat(2)
                  .collectList()
                  .block(LIMIT))
          .containsExactly(List.of(1L, 2L), List.of(3L, 4L), List.of(5L, 6L));
      pool.dispose();
    }

    @Test
    void withoutATransactionNoValueIsGiven() {
      TransactionalSequence<Connection> sequence = store.transactional(name);
      StepVerifier.create(
              Mono.usingWhen(
                  Mono.defer(() -> Mono.from(database.pooled().create())),
                  sequence::next,
                  Connection::close))
          .expectErrorSatisfies(
              failure ->
                  assertThat(failure)
                      .isInstanceOf(IllegalStateException.class)
                      .hasMessageContaining("transaction"))
          .verify(LIMIT);
      assertThat(nextValue()).isEqualTo(1);
    }

    @Test
    void missingAndExhaustedSequencesAreTypedErrors() {
      StepVerifier.create(transaction(database.pooled(), store.transactional("absent")::next))
          .expectError(SequenceNotFoundException.class)
          .verify(LIMIT);
      StepVerifier.create(
              transaction(
                  database.pooled(),
                  R2dbcSequenceStore.builder(database.pooled())
                          .table("nowhere")
                          .build()
                          .transactional(name)
                      ::next))
          .expectError(SequenceNotFoundException.class)
          .verify(LIMIT);
      store.advanceTo(name, Long.MAX_VALUE - 1).block(LIMIT);
      StepVerifier.create(
              transaction(
                  database.pooled(), connection -> store.transactional(name).next(connection, 2)))
          .expectError(SequenceExhaustedException.class)
          .verify(LIMIT);
      assertThatThrownBy(() -> store.transactional("x".repeat(65)))
          .isInstanceOf(IllegalArgumentException.class);
    }

    /** Statements of one transaction on the only connection of a pool, which is rolled back. */
    private <T> Mono<T> rolledBack(ConnectionPool pool, Function<Connection, Mono<T>> body) {
      return Mono.usingWhen(
          pool.create(),
          connection ->
              Mono.from(connection.beginTransaction())
                  .then(Mono.defer(() -> body.apply(connection))),
          connection ->
              Mono.from(connection.rollbackTransaction()).then(Mono.from(connection.close())));
    }

    /** What a call ends with, value or failure. */
    private static Mono<Object> end(Mono<?> call) {
      return call.cast(Object.class).onErrorResume(Mono::just);
    }

    /** H2, MySQL and MariaDB go on behind a statement that failed; PostgreSQL does not. */
    private void assertLost(@Nullable Object end, long next) {
      if (database.kind() == DatabaseKind.POSTGRESQL) {
        assertThat(end)
            .isInstanceOfSatisfying(
                R2dbcException.class,
                failure -> assertThat(failure.getSqlState()).isEqualTo("25P02"));
      } else {
        assertThat(end).isEqualTo(next);
      }
    }

    @Test
    void behindACallThatFailedTheOthersOfItsTransactionFailAndTheNextTransactionIsServed() {
      ConnectionPool pool = Pools.of(1, database.pooled());
      TransactionalSequence<Connection> sequence = store.transactional(name);
      TransactionalSequence<Connection> nowhere =
          R2dbcSequenceStore.builder(database.pooled())
              .table("nowhere")
              .build()
              .transactional(name);
      List<Object> ends =
          rolledBack(
                  pool,
                  connection ->
                      Flux.concat(
                              end(nowhere.next(connection)),
                              end(sequence.next(connection)),
                              end(sequence.next(connection)))
                          .collectList())
              .blockOptional(LIMIT)
              .orElseThrow();
      assertThat(ends).hasSize(3).first().isInstanceOf(SequenceNotFoundException.class);
      assertLost(ends.get(1), 1);
      assertLost(ends.get(2), 2);
      assertThat(transaction(pool, sequence::next).block(LIMIT)).isEqualTo(1);
      assertThat(transaction(pool, nowhere::next).as(TransactionalSequenceTest::failure))
          .isInstanceOf(SequenceNotFoundException.class);
      assertThat(transaction(pool, nowhere::next).as(TransactionalSequenceTest::failure))
          .as("in a transaction of its own")
          .isInstanceOf(SequenceNotFoundException.class);
      assertThat(transaction(pool, connection -> sequence.next(connection, 2)).block(LIMIT))
          .containsExactly(2L, 3L);
      pool.dispose();
    }

    @Test
    void aRollbackAfterOneOfTwoCallsHasFailedTakesNothing() {
      WatchedConnections watched = new WatchedConnections(database.pooled());
      Sinks.Empty<Object> gate = Sinks.empty();
      watched.atNext(
          event -> event.contains("UPDATE"),
          work -> gate.asMono().thenMany(Flux.error(new IllegalStateException("for the test"))));
      TransactionalSequence<Connection> sequence = store.transactional(name);

      Mono<?> both =
          rolledBack(
              Pools.of(1, watched),
              connection ->
                  Mono.zip(
                      sequence.next(connection),
                      sequence.next(connection).doOnSubscribe(sent -> gate.tryEmitEmpty())));

      assertThat(both.as(TransactionalSequenceTest::failure)).hasMessage("for the test");
      assertThat(nextValue()).isEqualTo(1);
    }

    @Test
    void aMissingRowLosesNoTransaction() {
      assertThat(
              transaction(
                      Pools.of(1, database.pooled()),
                      connection ->
                          end(store.transactional("absent").next(connection))
                              .flatMap(
                                  missing ->
                                      store
                                          .transactional(name)
                                          .next(connection)
                                          .map(value -> List.of(missing.getClass(), value))))
                  .block(LIMIT))
          .isEqualTo(List.of(SequenceNotFoundException.class, 1L));
      assertThat(nextValue()).isEqualTo(2);
    }

    @Test
    void aCountBelowOneIsRefusedAtOnce() {
      Connection none =
          Mono.defer(() -> Mono.from(database.pooled().create()))
              .cast(Connection.class)
              .blockOptional(LIMIT)
              .orElseThrow();
      assertThatThrownBy(() -> store.transactional(name).next(none, 0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("0");
      Mono.from(none.close()).block(LIMIT);
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.H2)
  class H2 extends Behaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.MARIADB)
  class MariaDb extends Behaviour {}
}
