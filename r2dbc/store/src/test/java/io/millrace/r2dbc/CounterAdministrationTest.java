package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceBlock;
import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.striped.SequenceNotStripedException;
import io.millrace.striped.StripedSequenceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** How counters are listed, set and dropped, on each database. */
class CounterAdministrationTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int COUNTERS = 1_005;

  private static void done(Mono<?> work) {
    StepVerifier.create(work.then()).expectComplete().verify(LIMIT);
  }

  private static <T> T given(Mono<T> work) {
    return Objects.requireNonNull(work.block(LIMIT));
  }

  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  abstract static class Behaviour {

    private R2dbcSequenceStore store;
    private R2dbcSequenceStore missing;

    @BeforeAll
    void connect(R2dbcDatabase created) {
      store = R2dbcSequenceStore.builder(created.connections()).build();
      missing = R2dbcSequenceStore.builder(created.connections()).table("absent").build();
      done(store.createTable());
      done(store.create("b", 1));
      done(store.create("a", 1));
      done(
          Flux.range(0, COUNTERS)
              .flatMap(i -> store.create(String.format("n%05d", i), i), 4)
              .then());
    }

    @Test
    void aListingReadsAPageOnlyWhenItIsRequested() {
      Flux<SequenceState> states = store.states();
      StepVerifier.create(states, 2)
          .expectNext(new SequenceState("a", 1), new SequenceState("b", 1))
          .thenRequest(1)
          .expectNextMatches(state -> state.sequence().startsWith("n"))
          .thenCancel()
          .verify(LIMIT);
    }

    @Test
    void allCountersAreListedInTheOrderOfTheirNamesOverPages() {
      List<SequenceState> all = given(store.states().collectList());
      assertThat(all).hasSize(COUNTERS + 2).doesNotHaveDuplicates();
      assertThat(all).extracting(SequenceState::sequence).isSorted();
    }

    @Test
    void aListingWithoutATableSaysHowToCreateOne() {
      StepVerifier.create(missing.states())
          .expectErrorSatisfies(
              failure ->
                  assertThat(failure)
                      .isInstanceOf(IllegalStateException.class)
                      .hasMessageContaining("CREATE TABLE"))
          .verify(LIMIT);
    }

    @Test
    void aCounterIsSetBackOnlyFromTheExpectedValue() {
      assertThat(given(store.moveForward("b", 50)).nextValue()).isEqualTo(50);
      assertThat(given(store.moveTo("b", 49, 1))).isFalse();
      assertThat(given(store.state("b")).nextValue()).isEqualTo(50);
      assertThat(given(store.moveTo("b", 50, 1))).isTrue();
      assertThat(given(store.state("b")).nextValue()).isEqualTo(1);
    }

    @Test
    void aMissingCounterCannotBeSet() {
      StepVerifier.create(store.moveTo("none", 1, 2))
          .expectError(SequenceNotFoundException.class)
          .verify(LIMIT);
    }

    @Test
    void aCounterCannotBeSetToAValueThatHasNoNext() {
      StepVerifier.create(store.moveTo("b", 1, Long.MAX_VALUE))
          .expectError(SequenceExhaustedException.class)
          .verify(LIMIT);
    }

    /** A deployment with stripes is rolled back, and one without stripes is replaced. */
    @Test
    void aSequenceIsPlainOrStripedAndChangesByAStripeOnly() {
      StripedSequenceStore striped =
          StripedSequenceStore.builder(store).stride(4).stripes(4).build();
      done(striped.create("orders", 1));
      done(striped.reserve("orders", 5));
      SequenceGenerator plain =
          SequenceGenerator.builder(store, "orders").batchSize(5).createMissing(1).build();
      StepVerifier.create(plain.next())
          .expectErrorSatisfies(
              end ->
                  assertThat(end)
                      .isInstanceOf(SequenceExhaustedException.class)
                      .hasMessageContaining("StripedSequenceStore"))
          .verify(LIMIT);

      SequenceGenerator old =
          SequenceGenerator.builder(store, "invoices").batchSize(5).createMissing(1).build();
      List<Long> values = new ArrayList<>(given(old.next(3)));
      StepVerifier.create(striped.create("invoices", 1))
          .expectError(SequenceNotStripedException.class)
          .verify(LIMIT);
      done(striped.stripe("invoices"));
      done(striped.stripe("invoices"));
      values.addAll(given(old.next(2))); // the rest of its block
      StepVerifier.create(old.next()).expectError(SequenceExhaustedException.class).verify(LIMIT);
      for (int i = 0; i < 4; i++) {
        SequenceBlock block = given(striped.reserve("invoices", 5));
        LongStream.range(0, 5).map(block::valueAt).forEach(values::add);
      }
      assertThat(values).hasSize(25).doesNotHaveDuplicates();
      for (SequenceState row : given(store.states().collectList())) {
        if (row.sequence().startsWith("orders") || row.sequence().startsWith("invoices")) {
          assertThat(given(store.drop(row.sequence()))).isTrue();
        }
      }
    }

    @Test
    void aDroppedCounterIsGoneAndTheOthersStay() {
      done(store.create("z", 7));
      assertThat(given(store.drop("z"))).isTrue();
      assertThat(given(store.drop("z"))).isFalse();
      StepVerifier.create(store.state("z"))
          .expectError(SequenceNotFoundException.class)
          .verify(LIMIT);
      assertThat(given(store.states().count())).isEqualTo(COUNTERS + 2);
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
