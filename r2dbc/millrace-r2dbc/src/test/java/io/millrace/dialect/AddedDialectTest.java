package io.millrace.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceStore;
import io.millrace.TransactionalSequence;
import io.millrace.r2dbc.ErrorCategory;
import io.millrace.r2dbc.R2dbcDialect;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.millrace.test.contract.SequenceStoreContract;
import io.r2dbc.h2.H2ConnectionConfiguration;
import io.r2dbc.h2.H2ConnectionFactory;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.R2dbcException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * A database like MariaDB (H2 in that mode), whose updates do not answer with what they wrote: each
 * reservation is a transaction.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AddedDialectTest extends SequenceStoreContract {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static final class AddedDialect implements R2dbcDialect {

    @Override
    public String name() {
      return "MariaDB";
    }

    @Override
    public String quoteIdentifier(String part) {
      return "`" + part.replace("`", "``") + "`";
    }

    @Override
    public boolean isBlocking() {
      return true;
    }

    @Override
    public ErrorCategory kind(Throwable failure) {
      return failure instanceof R2dbcException reported && "HYT00".equals(reported.getSqlState())
          ? ErrorCategory.CONFLICT
          : R2dbcDialect.super.kind(failure);
    }
  }

  private final ConnectionFactory connections =
      new H2ConnectionFactory(
          H2ConnectionConfiguration.builder()
              .url("mem:" + UUID.randomUUID() + ";MODE=MariaDB;DB_CLOSE_DELAY=-1")
              .build());

  private final R2dbcSequenceStore store = newStore();
  private final R2dbcSequenceStore another = newStore();

  private R2dbcSequenceStore newStore() {
    return R2dbcSequenceStore.builder(connections).dialect(new AddedDialect()).build();
  }

  @BeforeAll
  void createTable() {
    store.createTable().block(LIMIT);
  }

  @AfterAll
  void shutDown() {
    inTransaction(
            connection -> Mono.from(connection.createStatement("SHUTDOWN").execute()).thenReturn(1))
        .onErrorComplete()
        .block(LIMIT);
  }

  @Override
  protected SequenceStore store() {
    return store;
  }

  @Override
  protected SequenceStore anotherStore() {
    return another;
  }

  @Override
  protected String newName(String hint) {
    return "c-" + UUID.randomUUID().toString().substring(0, 18) + "-" + hint;
  }

  private <T> Mono<T> inTransaction(Function<Connection, Mono<T>> body) {
    return Mono.usingWhen(
        Mono.defer(() -> Mono.from(connections.create())),
        connection ->
            Mono.from(connection.beginTransaction())
                .then(Mono.defer(() -> body.apply(connection)))
                .flatMap(result -> Mono.from(connection.commitTransaction()).thenReturn(result)),
        Connection::close);
  }

  @Test
  void callsOfOneTransactionThatOverlapGetDifferentValues() {
    String name = newName("overlap");
    store.create(name, 1).block(LIMIT);
    TransactionalSequence<Connection> sequence = store.transactional(name);
    List<Long> values =
        inTransaction(
                connection ->
                    Flux.range(0, 40)
                        .flatMap(
                            i -> sequence.next(connection, 3).subscribeOn(Schedulers.parallel()),
                            40)
                        .flatMapIterable(Function.identity())
                        .collectList())
            .block(LIMIT);
    assertThat(values)
        .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 120).boxed().toList());
  }
}
