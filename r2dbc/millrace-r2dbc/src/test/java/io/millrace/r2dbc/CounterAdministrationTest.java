package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceAdministration;
import io.millrace.SequenceState;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.test.contract.SequenceAdministrationContract;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** How counters are listed, set and dropped, on each database. */
class CounterAdministrationTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static void done(Mono<?> work) {
    StepVerifier.create(work.then()).expectComplete().verify(LIMIT);
  }

  private static <T> T given(Mono<T> work) {
    return Objects.requireNonNull(work.block(LIMIT));
  }

  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  abstract static class Behaviour extends SequenceAdministrationContract {

    private R2dbcDatabase database;
    private R2dbcSequenceStore store;

    @BeforeAll
    void connect(R2dbcDatabase created) {
      database = created;
      store = R2dbcSequenceStore.create(created.pooled());
      done(store.createTable());
    }

    @Override
    protected SequenceAdministration store() {
      return store;
    }

    /** Short enough for the table's column. */
    @Override
    protected String newName(String hint) {
      return "c-" + UUID.randomUUID().toString().substring(0, 18) + "-" + hint;
    }

    @Test
    void aListingReadsAPageOnlyWhenItIsRequested() {
      done(store.create("a", 1).then(store.create("b", 1)));
      StepVerifier.create(store.states(), 1)
          .expectNext(new SequenceState("a", 1))
          .thenRequest(1)
          .expectNext(new SequenceState("b", 1))
          .thenCancel()
          .verify(LIMIT);
    }

    @Test
    void aListingWithoutATableSaysHowToCreateOne() {
      StepVerifier.create(
              R2dbcSequenceStore.builder(database.pooled()).table("absent").build().states())
          .expectErrorSatisfies(
              failure ->
                  assertThat(failure)
                      .isInstanceOf(IllegalStateException.class)
                      .hasMessageContaining("CREATE TABLE"))
          .verify(LIMIT);
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.H2)
  class H2 extends Behaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.POSTGRESQL)
  class PostgreSql extends Behaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.MYSQL)
  class MySql extends Behaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.MARIADB)
  class MariaDb extends Behaviour {}
}
