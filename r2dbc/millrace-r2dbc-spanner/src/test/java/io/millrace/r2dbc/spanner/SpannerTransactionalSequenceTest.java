package io.millrace.r2dbc.spanner;

import static io.millrace.databases.DatabaseKind.SPANNER;
import static io.millrace.databases.DatabaseKind.SPANNER_POSTGRESQL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.SequenceStore;
import io.millrace.SequenceStoreException;
import io.millrace.TransactionalSequence;
import io.millrace.TransactionalSequences;
import io.millrace.databases.OnDatabases;
import io.millrace.databases.Pools;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.millrace.r2dbc.R2dbcTransactions;
import io.millrace.test.contract.TransactionalSequenceContract;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Result;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Numbers without gaps in the application's transactions, which {@link R2dbcTransactions} runs. */
@OnDatabases(value = SPANNER, also = SPANNER_POSTGRESQL)
class SpannerTransactionalSequenceTest extends TransactionalSequenceContract<Connection> {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Parameter R2dbcDatabase database;
  private ConnectionPool pool;
  private R2dbcSequenceStore store;
  private R2dbcTransactions transactions;

  @BeforeParameterizedClassInvocation
  void connect() {
    pool = Pools.of(4, SpannerConnectionFactory.over(database.connections()));
    store = R2dbcSequenceStore.create(database.connections());
    store.createTable().block(LIMIT);
    transactions = R2dbcTransactions.over(pool);
  }

  @AfterParameterizedClassInvocation
  void disconnect() {
    pool.disposeLater().block(LIMIT);
  }

  @Override
  protected SequenceStore store() {
    return store;
  }

  @Override
  protected TransactionalSequence<Connection> transactional(String sequence) {
    return store.transactional(sequence);
  }

  @Override
  protected TransactionalSequences<Connection> transactionals() {
    return store.transactionals();
  }

  @Override
  protected <T> Mono<T> transaction(Function<Connection, Mono<T>> body) {
    return transactions.readWrite(body);
  }

  /** The emulator aborts one of two transactions. */
  @Override
  protected boolean waitsForOthers() {
    return false;
  }

  /** Short enough for the table's column. */
  @Override
  protected String newName(String hint) {
    return "t-" + UUID.randomUUID() + "-" + hint;
  }

  private String created() {
    String name = newName("");
    store.create(name, 1).block(LIMIT);
    return name;
  }

  @Test
  void afterAFailedStatementOfTheApplicationACallFailsAtOnce() {
    String name = created();
    Mono<Long> failing =
        transaction(
            connection ->
                Flux.from(
                        connection
                            .createStatement("UPDATE nowhere SET x = 1 WHERE x = 2")
                            .execute())
                    .concatMap(Result::getRowsUpdated)
                    .then()
                    .onErrorComplete()
                    .then(store.transactional(name).next(connection)));
    assertThatThrownBy(() -> failing.block(LIMIT))
        .isInstanceOf(SequenceStoreException.class)
        .hasMessageContainingAll(name, "roll it back");
    assertThat(transaction(store.transactional(name)::next).block(LIMIT)).isEqualTo(1);
  }

  @Test
  void withoutATransactionNoNumberIsGiven() {
    String name = created();
    assertThatThrownBy(
            () ->
                Mono.usingWhen(pool.create(), store.transactional(name)::next, Connection::close)
                    .block(LIMIT))
        .hasMessageContaining("transaction");
    assertThat(transaction(store.transactional(name)::next).block(LIMIT)).isEqualTo(1);
  }
}
