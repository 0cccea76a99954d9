package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.DelegatingSequenceStore;
import io.millrace.SequenceStore;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.test.contract.SequenceStoreContract;
import io.r2dbc.pool.ConnectionPool;
import java.time.Duration;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The contract of all stores, over the sequences of databases: with an increment of 1 as the store
 * creates them, and with a larger one; on the driver's connections and on a pool of two.
 */
class R2dbcNativeStoreContractTest {

  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  abstract static class Contract extends SequenceStoreContract {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private R2dbcDatabase database;
    private WatchedConnections watched;
    private ConnectionPool pool;
    private SequenceStore store;
    private SequenceStore another;

    @BeforeAll
    void connect(R2dbcDatabase created) {
      database = created;
      watched = new WatchedConnections(created.connections());
      pool = Pools.of(2, watched);
      store = changed(builder(R2dbcNativeSequenceStore.builder(pool)).build());
      another = changed(builder(R2dbcNativeSequenceStore.builder(created.connections())).build());
    }

    R2dbcNativeSequenceStoreBuilder builder(R2dbcNativeSequenceStoreBuilder builder) {
      return builder;
    }

    SequenceStore changed(SequenceStore own) {
      return own;
    }

    R2dbcDatabase database() {
      return database;
    }

    @AfterEach
    void everyConnectionIsGivenBack() {
      Awaitility.await()
          .atMost(LIMIT)
          .pollDelay(Duration.ZERO)
          .until(
              () ->
                  pool.getMetrics().orElseThrow().acquiredSize() == 0
                      && pool.getMetrics().orElseThrow().pendingAcquireSize() == 0);
      assertThat(watched.open()).isLessThanOrEqualTo(2);
    }

    @AfterAll
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
                  Mono.<Void>fromRunnable(() -> database().execute(database().kind().quoted(alter)))
                      .subscribeOn(Schedulers.boundedElastic()));
        }
      };
    }
  }

  abstract static class PooledLo extends Increment50 {

    @Override
    R2dbcNativeSequenceStoreBuilder builder(R2dbcNativeSequenceStoreBuilder builder) {
      return builder.pooledLo();
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.H2)
  class H2 extends Contract {}

  @Nested
  @DatabaseTest(DatabaseKind.POSTGRESQL)
  class PostgreSql extends Contract {}

  @Nested
  @DatabaseTest(DatabaseKind.POSTGRESQL)
  class PostgreSqlBy50 extends Increment50 {}

  @Nested
  @DatabaseTest(DatabaseKind.POSTGRESQL)
  class PostgreSqlPooledLo extends PooledLo {}

  @Nested
  @DatabaseTest(DatabaseKind.MARIADB)
  class MariaDbPooledLo extends PooledLo {}
}
