package io.millrace.r2dbc.spanner;

import static io.millrace.databases.DatabaseKind.SPANNER;
import static io.millrace.databases.DatabaseKind.SPANNER_POSTGRESQL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.SequenceStore;
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
import java.time.Duration;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
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

  @Test
  void withoutATransactionNoNumberIsGiven() {
    TransactionalSequence<Connection> numbers = store.transactional(newName(""));
    store.create(numbers.name(), 1).block(LIMIT);
    assertThatThrownBy(
            () -> Mono.usingWhen(pool.create(), numbers::next, Connection::close).block(LIMIT))
        .hasMessageContaining("transaction");
    assertThat(transaction(numbers::next).block(LIMIT)).isEqualTo(1);
  }
}
