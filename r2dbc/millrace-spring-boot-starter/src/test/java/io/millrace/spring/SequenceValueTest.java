package io.millrace.spring;

import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import org.junit.jupiter.api.Nested;

/** Entities get their numbers on each database. */
class SequenceValueTest {

  @Nested
  @DatabaseTest(DatabaseKind.H2)
  class H2 extends SequenceValueBehaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.POSTGRESQL)
  class PostgreSql extends SequenceValueBehaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.SPANNER)
  class SpannerGoogleSql extends SequenceValueBehaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.SPANNER_POSTGRESQL)
  class SpannerPostgreSql extends SequenceValueBehaviour {}
}
