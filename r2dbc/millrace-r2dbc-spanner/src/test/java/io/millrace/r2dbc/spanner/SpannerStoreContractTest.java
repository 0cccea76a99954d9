package io.millrace.r2dbc.spanner;

import io.millrace.SequenceStore;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.millrace.test.contract.SequenceStoreContract;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;

/** The contract of all stores, over the driver and over a pool. */
class SpannerStoreContractTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  abstract static class Contract extends SequenceStoreContract {

    private ConnectionPool pool;
    private R2dbcSequenceStore store;
    private R2dbcSequenceStore pooled;

    @BeforeAll
    void connect(R2dbcDatabase database) {
      pool =
          new ConnectionPool(
              ConnectionPoolConfiguration.builder(
                      SpannerConnectionFactory.over(database.connections()))
                  .initialSize(0)
                  .maxSize(4)
                  .build());
      store = storeOn(database.connections());
      pooled = storeOn(pool);
      store.createTable().block(LIMIT);
    }

    /** The emulator lets one transaction run at a time, so that sixteen need some patience. */
    private static R2dbcSequenceStore storeOn(ConnectionFactory connections) {
      return R2dbcSequenceStore.builder(connections)
          .backoff(Duration.ofMillis(100), Duration.ofSeconds(1))
          .build();
    }

    @AfterAll
    void disconnect() {
      pool.disposeLater().block(LIMIT);
    }

    @Override
    protected SequenceStore store() {
      return store;
    }

    @Override
    protected SequenceStore anotherStore() {
      return pooled;
    }

    /** Short enough for the table's column. */
    @Override
    protected String newName(String hint) {
      return "c-" + UUID.randomUUID().toString().substring(0, 18) + "-" + hint;
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.SPANNER)
  class GoogleSql extends Contract {}

  @Tag("long")
  @Nested
  @DatabaseTest(DatabaseKind.SPANNER_POSTGRESQL)
  class PostgreSql extends Contract {}
}
