package io.millrace.r2dbc;

import static io.millrace.databases.DatabaseKind.H2;
import static io.millrace.databases.DatabaseKind.MARIADB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceStore;
import io.millrace.TransactionalSequence;
import io.millrace.TransactionalSequences;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.OnDatabases;
import io.millrace.databases.Pools;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.test.contract.TransactionalSequenceContract;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Numbers without gaps, inside transactions of the application. {@link
 * TransactionalSequenceBlockHoundTest} runs it on the other databases.
 */
@OnDatabases({H2, MARIADB})
class TransactionalSequenceTest extends TransactionalSequenceContract<Connection> {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Parameter R2dbcDatabase database;
  private R2dbcSequenceStore store;
  private R2dbcSequenceStore nowhere;
  private R2dbcTransactions transactions;

  @BeforeParameterizedClassInvocation
  void connect() {
    store = R2dbcSequenceStore.create(database.pooled());
    store.createTable().block(LIMIT);
    nowhere = R2dbcSequenceStore.builder(database.pooled()).table("nowhere").build();
    transactions = R2dbcTransactions.over(database.pooled());
  }

  @Override
  protected SequenceStore store() {
    return store;
  }

  @Override
  protected TransactionalSequence<Connection> transactional(String sequence) {
    return R2dbcSequenceStore.create(database.pooled()).transactional(sequence);
  }

  @Override
  protected TransactionalSequences<Connection> transactionals() {
    return store.transactionals();
  }

  @Override
  protected <T> Mono<T> transaction(Function<Connection, Mono<T>> body) {
    return transactions.readWrite(body);
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

  private long next(String name) {
    return transaction(store.transactional(name)::next).blockOptional(LIMIT).orElseThrow();
  }

  @Test
  void aConnectionOfAPoolServesToo() {
    ConnectionPool pool = Pools.of(1, database.pooled());
    TransactionalSequence<Connection> sequence = store.transactional(created());
    assertThat(
            R2dbcTransactions.over(pool)
                .readWrite(connection -> sequence.next(connection, 2))
                .repeat(2)
                .collectList()
                .block(LIMIT))
        .containsExactly(List.of(1L, 2L), List.of(3L, 4L), List.of(5L, 6L));
    pool.dispose();
  }

  @Test
  void withoutATransactionNoValueIsGiven() {
    String name = created();
    assertThatThrownBy(
            () ->
                Mono.usingWhen(
                        Mono.defer(() -> Mono.from(database.pooled().create())),
                        store.transactional(name)::next,
                        Connection::close)
                    .block(LIMIT))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("transaction");
    assertThat(next(name)).isEqualTo(1);
  }

  @Test
  void aNameThatIsTooLongIsRefused() {
    assertThatThrownBy(() -> store.transactional("x".repeat(65)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** The result of a call, value or failure. */
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

  private List<Object> ends(Function<Connection, Flux<Object>> calls) {
    return Mono.usingWhen(
            Mono.defer(() -> Mono.from(database.pooled().create())),
            connection ->
                Mono.from(connection.beginTransaction())
                    .thenMany(Flux.defer(() -> calls.apply(connection)))
                    .collectList(),
            connection ->
                Mono.from(connection.rollbackTransaction())
                    .then(Mono.defer(() -> Mono.from(connection.close()))))
        .blockOptional(LIMIT)
        .orElseThrow();
  }

  @Test
  void servesTheNextTransactionAfterAMissingTable() {
    String name = created();
    TransactionalSequence<Connection> sequence = store.transactional(name);
    List<Object> ends =
        ends(
            connection ->
                Flux.concat(
                    end(nowhere.transactional(name).next(connection)),
                    end(sequence.next(connection)),
                    end(sequence.next(connection))));
    assertThat(ends).hasSize(3).first().isInstanceOf(SequenceNotFoundException.class);
    assertLost(ends.get(1), 1);
    assertLost(ends.get(2), 2);
    assertThatThrownBy(() -> transaction(nowhere.transactional(name)::next).block(LIMIT))
        .as("in a transaction of its own")
        .isInstanceOf(SequenceNotFoundException.class);
    assertThat(next(name)).isEqualTo(1);
  }

  @Test
  void aMissingRowLosesNoTransaction() {
    String name = created();
    List<Object> ends =
        ends(
            connection ->
                Flux.concat(
                    end(store.transactional("absent").next(connection)),
                    end(store.transactional(name).next(connection))));
    assertThat(ends.get(0)).isInstanceOf(SequenceNotFoundException.class);
    assertThat(ends.get(1)).isEqualTo(1L);
  }

  @Test
  void aRollbackAfterOneOfTwoCallsHasFailedTakesNothing() {
    String name = created();
    WatchedConnections watched = new WatchedConnections(database.pooled());
    Sinks.Empty<Object> gate = Sinks.empty();
    watched.atNext(
        event -> event.contains("UPDATE"),
        work -> gate.asMono().thenMany(Flux.error(new IllegalStateException("for the test"))));
    TransactionalSequence<Connection> sequence = store.transactional(name);
    Mono<?> both =
        R2dbcTransactions.over(watched)
            .readWrite(
                connection ->
                    Mono.zip(
                        sequence.next(connection),
                        sequence.next(connection).doOnSubscribe(sent -> gate.tryEmitEmpty())));
    assertThatThrownBy(() -> both.block(LIMIT)).hasMessage("for the test");
    assertThat(next(name)).isEqualTo(1);
  }
}
