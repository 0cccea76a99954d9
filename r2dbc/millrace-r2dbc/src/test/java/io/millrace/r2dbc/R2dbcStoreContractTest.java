package io.millrace.r2dbc;

import static io.millrace.databases.DatabaseKind.H2;
import static io.millrace.databases.DatabaseKind.MARIADB;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceStore;
import io.millrace.databases.OnDatabases;
import io.millrace.databases.Pools;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.test.contract.SequenceStoreContract;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import reactor.core.publisher.Mono;

/**
 * The contract of all stores, with and without a pool. {@link R2dbcStoreContractBlockHoundTest}
 * runs it on the other databases.
 */
class R2dbcStoreContractTest {

  abstract static class Contract extends SequenceStoreContract {

    static final Duration LIMIT = Duration.ofSeconds(60);

    @Parameter R2dbcDatabase database;
    WatchedConnections watched;
    R2dbcSequenceStore store;
    R2dbcSequenceStore another;

    @BeforeParameterizedClassInvocation
    void connect() {
      watched = new WatchedConnections(database.connections());
      another = storeOn(watched);
      store = storeOn(database.connections());
      store.createTable().block(LIMIT);
    }

    R2dbcSequenceStore storeOn(ConnectionFactory connections) {
      return R2dbcSequenceStore.create(connections);
    }

    /** Bare connections are closed, each once. */
    @AfterEach
    void everyConnectionIsGivenBack() {
      watched.awaitClosed();
      assertThat(watched.closedTwice()).isZero();
    }

    @Override
    protected SequenceStore store() {
      return store;
    }

    @Override
    protected SequenceStore anotherStore() {
      return another;
    }

    /** Short enough for the table's column. */
    @Override
    protected String newName(String hint) {
      return "c-" + UUID.randomUUID().toString().substring(0, 18) + "-" + hint;
    }

    @Override
    protected SequenceStore storeThatLosesNextReleaseAnswer(Mono<?> meanwhile) {
      WatchedConnections flaky = new WatchedConnections(database.connections());
      Predicate<String> effect = event -> event.startsWith("UPDATE");
      flaky.loseAnswer(
          effect, meanwhile, new R2dbcNonTransientResourceException("connection reset"));
      return storeOn(flaky);
    }
  }

  abstract static class PooledContract extends Contract {

    private ConnectionPool one;
    private ConnectionPool few;

    @BeforeParameterizedClassInvocation
    void pool() {
      one = Pools.of(1, database.connections());
      few = Pools.of(4, database.connections());
      store = storeOn(one);
      another = storeOn(few);
    }

    @AfterEach
    void everyPooledConnectionIsGivenBack() {
      Pools.awaitReturns(one);
      Pools.awaitReturns(few);
    }

    @AfterParameterizedClassInvocation
    void dispose() {
      one.dispose();
      few.dispose();
    }
  }

  @Nested
  @OnDatabases({H2, MARIADB})
  class OnDriver extends Contract {}

  @Nested
  @OnDatabases({H2, MARIADB})
  class OnPools extends PooledContract {}
}
