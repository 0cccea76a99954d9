package io.millrace.r2dbc;

import io.millrace.blocking.BlocksNoThread;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import org.junit.jupiter.api.Nested;

/** The contract of all stores blocks no thread of a driver, with and without a pool. */
@BlocksNoThread
class R2dbcStoreContractBlockHoundTest {

  @Nested
  @DatabaseTest(DatabaseKind.POSTGRESQL)
  class PostgreSql extends R2dbcStoreContractTest.Contract {}

  @Nested
  @DatabaseTest(DatabaseKind.MYSQL)
  class MySql extends R2dbcStoreContractTest.Contract {}

  @Nested
  @DatabaseTest(DatabaseKind.POSTGRESQL)
  class PooledPostgreSql extends R2dbcStoreContractTest.PooledContract {}

  @Nested
  @DatabaseTest(DatabaseKind.POSTGRESQL)
  class PostgreSqlSequences extends R2dbcNativeStoreContractTest.Contract {}
}
