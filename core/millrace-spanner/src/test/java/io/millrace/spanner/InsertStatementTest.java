package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Statement;
import com.google.cloud.spanner.Value;
import org.junit.jupiter.api.Test;

class InsertStatementTest {

  /** Its names are reserved words, and a value follows the commit timestamp. */
  private static final Mutation INSERT =
      Mutation.newInsertBuilder("audit.order")
          .set("group")
          .to(7L)
          .set("made")
          .to(Value.COMMIT_TIMESTAMP)
          .set("note")
          .to("x")
          .build();

  @Test
  void inGoogleSqlValuesAreNamedParameters() {
    assertThat(InsertStatement.of(INSERT, Dialect.GOOGLE_STANDARD_SQL))
        .isEqualTo(
            Statement.newBuilder(
                    "INSERT INTO `audit`.`order` (`group`, `made`, `note`)"
                        + " VALUES (@p1, pending_commit_timestamp(), @p2)")
                .bind("p1")
                .to(7L)
                .bind("p2")
                .to("x")
                .build());
  }

  @Test
  void inPostgreSqlValuesAreNumberedParameters() {
    assertThat(InsertStatement.of(INSERT, Dialect.POSTGRESQL))
        .isEqualTo(
            Statement.newBuilder(
                    "INSERT INTO \"audit\".\"order\" (\"group\", \"made\", \"note\")"
                        + " VALUES ($1, spanner.pending_commit_timestamp(), $2)")
                .bind("p1")
                .to(7L)
                .bind("p2")
                .to("x")
                .build());
  }
}
