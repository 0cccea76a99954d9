package io.millrace.spring;

import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

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
  @Tag("long")
  class SpannerPostgreSql extends SequenceValueBehaviour {}
}
