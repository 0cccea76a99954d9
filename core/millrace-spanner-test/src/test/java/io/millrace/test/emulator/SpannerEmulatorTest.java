package io.millrace.test.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.Statement;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@SpannerTest(
    dialect = Dialect.POSTGRESQL,
    ddl = "create table things (id bigint primary key, label varchar)")
class SpannerEmulatorTest {

  @Test
  void aTestClassGetsADatabaseOfTheDialectAndSchemaItAsksFor(
      EmulatorDatabase database, DatabaseClient client) {
    assertThat(client.getDialect()).isEqualTo(Dialect.POSTGRESQL);
    assertThat(database.client()).isSameAs(client);
    try (ResultSet rows = client.singleUse().executeQuery(Statement.of("select * from things"))) {
      assertThat(rows.next()).isFalse();
    }
  }

  @Nested
  class InANestedClass {

    @Test
    void theDatabaseIsTheSame(EmulatorDatabase database) {
      assertThat(database.dialect()).isEqualTo(Dialect.POSTGRESQL);
    }
  }

  @Test
  void aDatabaseMadeByHandIsAnotherOne(EmulatorDatabase database) {
    try (EmulatorDatabase other = database.emulator().createDatabase(Dialect.GOOGLE_STANDARD_SQL)) {
      assertThat(other.id()).isNotEqualTo(database.id());
      assertThat(other.client().getDialect()).isEqualTo(Dialect.GOOGLE_STANDARD_SQL);
    }
  }

  @Test
  void anEmulatorStartedHereServesTheWholeJvm() {
    assertThat(SpannerEmulator.find()).isPresent().isEqualTo(SpannerEmulator.find());
  }
}
