package io.millrace.r2dbc;

import static io.millrace.databases.DatabaseKind.H2;
import static io.millrace.databases.DatabaseKind.MARIADB;
import static io.millrace.databases.DatabaseKind.POSTGRESQL;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.DelegatingSequenceStore;
import io.millrace.SequenceStore;
import io.millrace.databases.OnDatabases;
import io.millrace.databases.Pools;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.test.contract.SequenceStoreContract;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.ConnectionFactory;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The contract of all stores, over the sequences of databases: with an increment of 1 as the store
 * creates them, and with a larger one; on the driver's connections and on a pool of two.
 */
class R2dbcNativeStoreContractTest {

  abstract static class Contract extends SequenceStoreContract {

    @Parameter R2dbcDatabase database;
    private WatchedConnections watched;
    private ConnectionPool pool;
    private SequenceStore store;
    private SequenceStore another;

    @BeforeParameterizedClassInvocation
    void connect() {
      watched = new WatchedConnections(database.pooled());
      pool = Pools.of(2, watched);
      store = changed(store(pool));
      another = changed(store(database.pooled()));
    }

    SequenceStore store(ConnectionFactory connections) {
      return R2dbcNativeSequenceStore.create(connections);
    }

    SequenceStore changed(SequenceStore own) {
      return own;
    }

    @AfterEach
    void everyConnectionIsGivenBack() {
      Pools.awaitReturns(pool);
      assertThat(watched.open()).isLessThanOrEqualTo(2);
    }

    @AfterParameterizedClassInvocation
    void dispose() {
      pool.dispose();
    }

    @Override
    protected SequenceStore store() {
      return store;
    }

    @Override
    protected SequenceStore anotherStore() {
      return another;
    }

    /** The name is one of a schema's objects. */
    @Override
    protected String newName(String hint) {
      return "c_" + UUID.randomUUID() + "_" + hint;
    }

    @Override
    protected boolean takesAnyName() {
      return false;
    }
  }

  /** Sequences as a schema for Hibernate has them. */
  abstract static class Increment50 extends Contract {

    @Override
    SequenceStore changed(SequenceStore own) {
      return new DelegatingSequenceStore(own) {
        @Override
        public Mono<Void> create(String sequence, long startValue) {
          String alter = "ALTER SEQUENCE \"" + sequence + "\" INCREMENT BY 50";
          return super.create(sequence, startValue)
              .then(
                  Mono.<Void>fromRunnable(() -> database.execute(database.kind().quoted(alter)))
                      .subscribeOn(Schedulers.boundedElastic()));
        }
      };
    }
  }

  abstract static class PooledLo extends Increment50 {

    @Override
    SequenceStore store(ConnectionFactory connections) {
      return R2dbcNativeSequenceStore.createPooledLo(connections);
    }
  }

  @Nested
  @OnDatabases({H2, POSTGRESQL})
  class By1 extends Contract {}

  @Nested
  @OnDatabases(POSTGRESQL)
  class By50 extends Increment50 {}

  @Nested
  @OnDatabases({POSTGRESQL, MARIADB})
  class PooledLoBy50 extends PooledLo {}
}
