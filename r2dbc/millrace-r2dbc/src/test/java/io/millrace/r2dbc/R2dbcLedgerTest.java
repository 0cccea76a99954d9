package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.SequenceStoreException;
import io.millrace.SkippedValues;
import io.millrace.TransactionalSequence;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.ledger.Holder;
import io.millrace.ledger.LedgerOptions;
import io.millrace.ledger.SequenceAudit;
import io.millrace.ledger.SequenceLedger;
import io.millrace.ledger.SequenceLedger.Entry;
import io.r2dbc.spi.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.TimeZone;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** What a ledger records, on each database. */
class R2dbcLedgerTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Holder ADA = new Holder("shop", "ada", "1");
  private static final Holder BOB = new Holder("shop", "bob", "2");

  private static void done(Mono<?> work) {
    StepVerifier.create(work.then()).expectComplete().verify(LIMIT);
  }

  private static <T> T given(Mono<T> work) {
    return Objects.requireNonNull(work.block(LIMIT));
  }

  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  abstract static class Behaviour {

    private R2dbcDatabase database;
    private WatchedConnections connections;
    private R2dbcSequenceStore ada;
    private R2dbcSequenceStore bob;
    private R2dbcSequenceStore plain;
    private SequenceAudit audit;
    private String name = "";

    @BeforeAll
    void connect(R2dbcDatabase created) {
      database = created;
      connections = new WatchedConnections(created.pooled());
      LedgerOptions options = LedgerOptions.table("sequence_ledger");
      ada = store(options.holder(ADA));
      bob = store(options.holder(BOB));
      plain = R2dbcSequenceStore.create(connections);
      audit = ada.audit();
      done(ada.createTable());
      done(ada.createTable()); // keeps what is there
    }

    private R2dbcSequenceStore store(LedgerOptions options) {
      return R2dbcSequenceStore.builder(connections)
          .ledger(options)
          .backoff(Duration.ofMillis(database.kind().isSpanner() ? 100 : 20), Duration.ofSeconds(1))
          .build();
    }

    @BeforeEach
    void create() {
      name = "s_" + UUID.randomUUID();
      done(ada.create(name, 1));
      connections.clear();
    }

    private List<Entry> entries() {
      return given(audit.ledger().entries(name).collectList());
    }

    @Test
    void aReservationAndItsEntryAreOneStatementWhereTheDatabaseAllowsIt() {
      done(ada.reserve(name, 10));
      int statements =
          switch (database.kind()) {
            case POSTGRESQL, H2 -> 1;
            case MYSQL, MARIADB -> 3; // update, read, insert
            case SPANNER, SPANNER_POSTGRESQL -> 2;
          };
      assertThat(connections.statements()).hasSize(statements);
      assertThat(connections.log().contains("commit")).isEqualTo(statements > 1);
      assertThat(entries()).hasSize(1);
    }

    @Test
    void anEntryHasTheBlockItsHolderAndTheTime() {
      Instant before = Instant.now().minusSeconds(5);
      done(ada.reserve(name, 10));
      done(bob.reserve(name, 5));
      assertThat(entries())
          .extracting(Entry::first, Entry::size, Entry::released, Entry::holder)
          .containsExactly(tuple(1L, 10L, 0L, ADA), tuple(11L, 5L, 0L, BOB));
      assertThat(entries())
          .allSatisfy(
              entry ->
                  assertThat(entry.reservedAt()).isBetween(before, Instant.now().plusSeconds(5)));
      assertThat(given(audit.owner(name, 10)).holder()).isEqualTo(ADA);
      assertThat(given(audit.owner(name, 11)).holder()).isEqualTo(BOB);
      assertThat(audit.owner(name, 16).blockOptional(LIMIT)).isEmpty();
    }

    @Test
    void whatIsGivenBackIsNotedAndMayBeReservedAgain() {
      done(ada.reserve(name, 10));
      assertThat(given(ada.release(name, SequenceBlock.of(4, 7)))).isTrue();
      done(bob.reserve(name, 5)); // 4 to 8
      assertThat(given(bob.release(name, SequenceBlock.of(4, 5)))).isTrue();
      done(ada.reserve(name, 2)); // 4 and 5
      assertThat(given(ada.release(name, SequenceBlock.of(3, 3)))).isTrue(); // of two blocks
      assertThat(given(ada.release(name, SequenceBlock.of(1, 1)))).isFalse();
      assertThat(entries())
          .extracting(Entry::first, Entry::kept)
          .containsExactlyInAnyOrder(tuple(1L, 2L), tuple(4L, 0L), tuple(4L, 0L));
      assertThat(given(audit.counter(name)).agrees()).isTrue();
      assertThat(audit.overlaps(name).collectList().block(LIMIT)).isEmpty();
    }

    @Test
    void aTransactionRecordsWhatItTook() {
      TransactionalSequence<Connection> sequence = ada.transactional(name);
      assertThat(taken(connection -> sequence.next(connection).then(sequence.next(connection, 3))))
          .containsExactly(2L, 3L, 4L);
      assertThat(entries())
          .extracting(Entry::first, Entry::size)
          .containsExactly(tuple(1L, 1L), tuple(2L, 3L));
    }

    @Test
    void skippedValuesAreNotInTheLedger() {
      SkippedValues skipped = SkippedValues.NONE.and(3, 5).and(10, 20);
      TransactionalSequence<Connection> sequence = ada.transactional(name, skipped);
      assertThat(taken(connection -> sequence.next(connection, 4))).containsExactly(1L, 2L, 6L, 7L);
      assertThat(given(ada.reserve(new ReservationRequest(name, 3, null, skipped))))
          .isEqualTo(SequenceBlock.of(21, 3));
      assertThat(entries())
          .extracting(Entry::first, Entry::size)
          .containsExactly(tuple(1L, 2L), tuple(6L, 2L), tuple(21L, 3L));
    }

    private List<Long> taken(Function<Connection, Mono<List<Long>>> take) {
      return given(
          Mono.usingWhen(
              database.pooled().create(),
              connection ->
                  Mono.from(connection.beginTransaction())
                      .then(take.apply(connection))
                      .delayUntil(taken -> connection.commitTransaction()),
              Connection::close));
    }

    @Test
    void oldEntriesAreRemoved() {
      done(Flux.range(0, 3).concatMap(i -> ada.reserve(name, 10)).then());
      Instant third = entries().get(2).reservedAt();
      assertThat(given(audit.ledger().removeBefore(name, third))).isEqualTo(2);
      assertThat(entries()).extracting(Entry::first).containsExactly(21L);
      assertThat(given(audit.ledger().removeBefore(name, Instant.now().plus(Duration.ofDays(1)))))
          .isEqualTo(1);
    }

    /** The store has connections of its own, because drivers look at the zone when they connect. */
    @ParameterizedTest
    @ValueSource(strings = {"Pacific/Auckland", "America/Los_Angeles"})
    void theTimeZoneOfTheMachineDoesNotMatterToWhatIsRemoved(String zone) {
      TimeZone before = TimeZone.getDefault();
      TimeZone.setDefault(TimeZone.getTimeZone(zone));
      try {
        R2dbcSequenceStore zoned = store(LedgerOptions.table("sequence_ledger").holder(ADA));
        done(Flux.range(0, 3).concatMap(i -> zoned.reserve(name, 10)).then());
        SequenceLedger ledger = zoned.audit().ledger();
        List<Entry> written = given(ledger.entries(name).collectList());
        assertThat(written)
            .hasSize(3)
            .allSatisfy(
                entry ->
                    assertThat(entry.reservedAt())
                        .isCloseTo(Instant.now(), within(30, ChronoUnit.MINUTES)));
        Instant third = written.get(2).reservedAt();
        assertThat(given(ledger.removeBefore(name, third.minus(Duration.ofHours(1))))).isZero();
        assertThat(given(ledger.removeBefore(name, third))).isEqualTo(2);
        done(zoned.close());
      } finally {
        TimeZone.setDefault(before);
      }
    }

    @Test
    void aReservationFailsIfItsEntryCannotBeWritten() {
      R2dbcSequenceStore store = store(LedgerOptions.table("no_such_ledger"));
      StepVerifier.create(store.reserve(name, 10))
          .expectErrorSatisfies(
              failure ->
                  assertThat(failure)
                      .isInstanceOf(SequenceStoreException.class)
                      .hasMessageContaining("table no_such_ledger, which does not exist")
                      .hasMessageContaining("CREATE TABLE"))
          .verify(LIMIT);
      assertThat(given(store.state(name))).isEqualTo(new SequenceState(name, 1));
      StepVerifier.create(store.audit().owner(name, 1))
          .expectError(SequenceStoreException.class)
          .verify(LIMIT);
      assertThat(connections.open()).isZero();
    }

    @Test
    void aLedgerOfBestEffortDoesNotFailAReservation() {
      R2dbcSequenceStore store = store(LedgerOptions.table("no_such_ledger").bestEffort());
      assertThat(given(store.reserve(name, 10))).isEqualTo(SequenceBlock.of(1, 10));
      assertThat(given(store.reserve(name, 10))).isEqualTo(SequenceBlock.of(11, 10));
      StepVerifier.create(store.reserve("none", 10))
          .expectError(SequenceNotFoundException.class)
          .verify(LIMIT);
    }

    @Test
    void aStoreWithoutALedgerHasNoAudit() {
      assertThatIllegalStateException()
          .isThrownBy(plain::audit)
          .withMessageContaining("ledger(...)");
    }

    @Test
    void conflictingReservationsAreRecordedOnce() {
      done(Flux.range(0, 40).flatMap(i -> (i % 2 == 0 ? ada : bob).reserve(name, 5), 4).then());
      assertThat(entries()).hasSize(40);
      assertThat(given(audit.overlaps(name).collectList())).isEmpty();
      assertThat(given(audit.unrecorded(name).collectList())).isEmpty();
      assertThat(given(audit.counter(name)).agrees()).isTrue();
      assertThat(given(audit.uses(name).collectList()))
          .hasSize(2)
          .allSatisfy(use -> assertThat(use.reservations()).isEqualTo(20));
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.H2)
  class H2 extends Behaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.POSTGRESQL)
  class PostgreSql extends Behaviour {}

  @Tag("long")
  @Nested
  @DatabaseTest(DatabaseKind.MYSQL)
  class MySql extends Behaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.MARIADB)
  class MariaDb extends Behaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.SPANNER)
  class SpannerGoogleSql extends Behaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.SPANNER_POSTGRESQL)
  class SpannerPostgreSql extends Behaviour {}
}
