package io.millrace.r2dbc;

import io.millrace.blocking.BlocksNoThread;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import org.junit.jupiter.api.Nested;

/** Values without gaps block no thread of a driver. */
@BlocksNoThread
class TransactionalSequenceBlockHoundTest {

  @Nested
  @DatabaseTest(DatabaseKind.POSTGRESQL)
  class PostgreSql extends TransactionalSequenceTest.Behaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.POSTGRESQL)
  class AtTheCommitOnPostgreSql extends R2dbcTransactionsTest.Behaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.MYSQL)
  class MySql extends TransactionalSequenceTest.Behaviour {}
}
