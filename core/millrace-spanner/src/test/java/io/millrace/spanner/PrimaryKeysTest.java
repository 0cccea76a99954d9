package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.Statement;
import com.google.cloud.spanner.Struct;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.test.StepVerifier;

class PrimaryKeysTest {

  private final TableInMemory database = new TableInMemory();
  private final PrimaryKeys keys = new PrimaryKeys(database.client());

  private void answers(String... columns) {
    database.answers.add(
        Arrays.stream(columns)
            .map(column -> Struct.newBuilder().set("column_name").to(column).build())
            .toList());
  }

  @Test
  void aKeyIsLookedUpOnce() {
    answers("Region", "Id");
    StepVerifier.create(keys.columnsOf("Singers"))
        .expectNext(List.of("Region", "Id"))
        .verifyComplete();
    StepVerifier.create(keys.columnsOf("Singers"))
        .expectNext(List.of("Region", "Id"))
        .verifyComplete();
    assertThat(database.statements).hasSize(1);
  }

  /** It may be created later. */
  @Test
  void aTableThatIsNotThereIsLookedForAgain() {
    answers();
    StepVerifier.create(keys.columnsOf("Singers")).verifyComplete();
    answers("Id");
    StepVerifier.create(keys.columnsOf("Singers")).expectNext(List.of("Id")).verifyComplete();
  }

  @Test
  void aNameIsLookedUpInItsSchemaInLowerCase() {
    answers("Id");
    answers("Id");
    keys.columnsOf("Singers").block();
    keys.columnsOf("Sales.Orders").block();
    assertThat(database.statements)
        .extracting(Statement::getSql)
        .satisfiesExactly(
            sql ->
                assertThat(sql)
                    .contains("lower(table_schema) IN ('', 'public')")
                    .contains("lower(table_name) = 'singers'"),
            sql ->
                assertThat(sql)
                    .contains("lower(table_schema) IN ('sales')")
                    .contains("lower(table_name) = 'orders'"));
  }

  @Test
  void whatCannotBeATableIsAnErrorAndNotSent() {
    StepVerifier.create(keys.columnsOf("Singers' OR 1=1"))
        .verifyError(IllegalArgumentException.class);
    assertThat(database.statements).isEmpty();
  }
}
