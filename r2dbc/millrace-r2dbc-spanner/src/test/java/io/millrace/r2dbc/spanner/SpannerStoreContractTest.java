package io.millrace.r2dbc.spanner;

import static io.millrace.databases.DatabaseKind.SPANNER;
import static io.millrace.databases.DatabaseKind.SPANNER_POSTGRESQL;

import io.millrace.SequenceStore;
import io.millrace.databases.OnDatabases;
import io.millrace.databases.Pools;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.millrace.test.contract.SequenceStoreContract;
import io.r2dbc.pool.ConnectionPool;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

/** The contract of all stores, over the driver and over a pool. */
@OnDatabases(value = SPANNER, also = SPANNER_POSTGRESQL)
class SpannerStoreContractTest extends SequenceStoreContract {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Parameter R2dbcDatabase database;

  private ConnectionPool pool;
  private R2dbcSequenceStore store;
  private R2dbcSequenceStore pooled;

  @BeforeParameterizedClassInvocation
  void connect() {
    pool = Pools.of(4, SpannerConnectionFactory.over(database.connections()));
    store = R2dbcSequenceStore.create(database.connections());
    pooled = R2dbcSequenceStore.create(pool);
    store.createTable().block(LIMIT);
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
  protected SequenceStore anotherStore() {
    return pooled;
  }

  /** Short enough for the table's column. */
  @Override
  protected String newName(String hint) {
    return "c-" + UUID.randomUUID().toString().substring(0, 18) + "-" + hint;
  }
}
