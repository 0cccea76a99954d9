package io.millrace.r2dbc.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceStoreException;
import io.millrace.TransactionalSequence;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.millrace.r2dbc.R2dbcTransactions;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Result;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Numbers without gaps in the application's transactions, which {@link R2dbcTransactions} runs. */
class SpannerTransactionalSequenceTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  abstract static class Behaviour {

    private ConnectionPool pool;
    private R2dbcSequenceStore store;
    private R2dbcTransactions transactions;
    private String name;

    @BeforeAll
    void connect(R2dbcDatabase database) {
      pool =
          new ConnectionPool(
              ConnectionPoolConfiguration.builder(
                      SpannerConnectionFactory.over(database.connections()))
                  .initialSize(0)
                  .maxSize(4)
                  .build());
      store = R2dbcSequenceStore.create(database.connections());
      store.createTable().block(LIMIT);
      transactions = R2dbcTransactions.over(pool);
    }

    @AfterAll
    void disconnect() {
      pool.disposeLater().block(LIMIT);
    }

    @BeforeEach
    void create() {
      name = "invoice_" + UUID.randomUUID();
      store.create(name, 1).block(LIMIT);
    }

    private <T> T committed(Function<Connection, Mono<T>> body) {
      return transactions.readWrite(body).blockOptional(LIMIT).orElseThrow();
    }

    private long next(String sequence) {
      return committed(store.transactional(sequence)::next);
    }

    @Test
    void transactionsThatFailAndThatCommitLeaveNoGap() {
      TransactionalSequence<Connection> invoices = store.transactional(name);
      List<Long> numbers =
          Flux.range(0, 24)
              .flatMap(
                  i ->
                      transactions
                          .readWrite(
                              connection ->
                                  invoices
                                      .next(connection)
                                      .filter(number -> i % 3 != 0)
                                      .switchIfEmpty(Mono.error(new Deliberate())))
                          .onErrorResume(Deliberate.class, failed -> Mono.empty()),
                  4)
              .collectList()
              .blockOptional(LIMIT)
              .orElseThrow();
      assertThat(numbers).containsExactlyInAnyOrderElementsOf(upTo(16));
    }

    @Test
    void callsOfOneTransactionThatOverlapGetDifferentNumbers() {
      TransactionalSequence<Connection> invoices = store.transactional(name);
      List<Long> numbers =
          committed(
              connection ->
                  Flux.range(0, 20)
                      .flatMap(
                          i -> invoices.next(connection, 2).subscribeOn(Schedulers.parallel()), 20)
                      .flatMapIterable(Function.identity())
                      .collectList());
      assertThat(numbers).containsExactlyInAnyOrderElementsOf(upTo(40));
    }

    @Test
    void oneCallNumbersSeveralNamesAndCreatesWhatIsMissing() {
      String other = name + "-other";
      Map<String, List<Long>> numbers =
          committed(
              connection ->
                  store
                      .transactionals()
                      .createMissing(1)
                      .next(connection, Map.of(name, 2, other, 3)));
      assertThat(numbers).containsExactlyInAnyOrderEntriesOf(Map.of(name, upTo(2), other, upTo(3)));
      assertThat(next(other)).isEqualTo(4);
    }

    @Test
    void aSequenceThatIsMissingIsATypedError() {
      assertThatThrownBy(() -> next("absent")).isInstanceOf(SequenceNotFoundException.class);
    }

    @Test
    void afterAFailedStatementOfTheApplicationACallFailsAtOnce() {
      assertThatThrownBy(
              () ->
                  committed(
                      connection ->
                          Flux.from(
                                  connection
                                      .createStatement("UPDATE nowhere SET x = 1 WHERE x = 2")
                                      .execute())
                              .concatMap(Result::getRowsUpdated)
                              .then()
                              .onErrorComplete()
                              .then(store.transactional(name).next(connection))))
          .isInstanceOf(SequenceStoreException.class)
          .hasMessageContainingAll(name, "roll it back");
      assertThat(next(name)).isEqualTo(1);
    }

    @Test
    void withoutATransactionNoNumberIsGiven() {
      assertThatThrownBy(
              () ->
                  Mono.usingWhen(pool.create(), store.transactional(name)::next, Connection::close)
                      .block(LIMIT))
          .hasMessageContaining("transaction");
      assertThat(next(name)).isEqualTo(1);
    }

    private static List<Long> upTo(long last) {
      return LongStream.rangeClosed(1, last).boxed().toList();
    }
  }

  private static final class Deliberate extends RuntimeException {

    private static final long serialVersionUID = 1L;
  }

  @Nested
  @DatabaseTest(DatabaseKind.SPANNER)
  class GoogleSql extends Behaviour {}

  @Tag("long")
  @Nested
  @DatabaseTest(DatabaseKind.SPANNER_POSTGRESQL)
  class PostgreSql extends Behaviour {}
}
