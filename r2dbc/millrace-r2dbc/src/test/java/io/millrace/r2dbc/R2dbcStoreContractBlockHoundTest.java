package io.millrace.r2dbc;

import static io.millrace.databases.DatabaseKind.H2;
import static io.millrace.databases.DatabaseKind.MYSQL;
import static io.millrace.databases.DatabaseKind.POSTGRESQL;

import io.millrace.blocking.BlocksNoThread;
import io.millrace.databases.OnDatabases;
import org.junit.jupiter.api.Nested;

/** The contract of all stores blocks no thread of a driver, with and without a pool. */
@BlocksNoThread
class R2dbcStoreContractBlockHoundTest {

  @Nested
  @OnDatabases({H2, POSTGRESQL, MYSQL})
  class OnDriver extends R2dbcStoreContractTest.Contract {}

  @Nested
  @OnDatabases(POSTGRESQL)
  class OnPools extends R2dbcStoreContractTest.PooledContract {}

  @Nested
  @OnDatabases(POSTGRESQL)
  class OnSequences extends R2dbcNativeStoreContractTest.Contract {}
}
