package io.millrace.spring;

import io.millrace.blocking.BlocksNoThread;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import org.junit.jupiter.api.Nested;

/** Values inside Spring's transactions block no thread of a driver. */
@BlocksNoThread
class SpringTransactionalSequenceBlockHoundTest {

  @Nested
  @DatabaseTest(DatabaseKind.POSTGRESQL)
  class PostgreSql extends SpringTransactionalSequenceTest.Behaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.SPANNER)
  class SpannerGoogleSql extends SpringTransactionalSequenceTest.Behaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.SPANNER_POSTGRESQL)
  class SpannerPostgreSql extends SpringTransactionalSequenceTest.Behaviour {}
}
