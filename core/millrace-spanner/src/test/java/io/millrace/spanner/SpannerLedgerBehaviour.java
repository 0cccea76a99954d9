package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import com.google.cloud.spanner.admin.database.v1.DatabaseAdminClient;
import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceStoreException;
import io.millrace.SkippedValues;
import io.millrace.TransactionalSequence;
import io.millrace.ledger.Holder;
import io.millrace.ledger.LedgerOptions;
import io.millrace.ledger.SequenceAudit;
import io.millrace.ledger.SequenceAudit.Gap;
import io.millrace.ledger.SequenceLedger.Entry;
import io.millrace.spanner.ddl.ColumnType;
import io.millrace.spanner.ddl.TableDdl;
import io.millrace.test.emulator.EmulatorDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TimeZone;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** What a ledger records, in each dialect. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SpannerLedgerBehaviour {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Holder ADA = new Holder("shop", "ada", "1");
  private static final Holder BOB = new Holder("shop", "bob", "2");

  private EmulatorDatabase database;
  private Wire wire;
  private SpannerSequenceStore ada;
  private SpannerSequenceStore bob;
  private SpannerSequenceStore plain;
  private SequenceAudit audit;
  private String name = "";

  @BeforeAll
  void connect(EmulatorDatabase created) {
    database = created;
    wire = new Wire(created);
    LedgerOptions options = LedgerOptions.table("sequence_ledger").retention(Duration.ofDays(90));
    ada = store(options.holder(ADA));
    bob = store(options.holder(BOB));
    plain = SpannerSequenceStore.create(wire.client());
    audit = ada.audit();
    try (DatabaseAdminClient admin = database.spanner().createDatabaseAdminClient()) {
      done(ada.createTable(admin, database.id()));
      done(ada.createTable(admin, database.id())); // keeps what is there
    }
  }

  private SpannerSequenceStore store(LedgerOptions options) {
    return SpannerSequenceStore.builder(wire.client()).ledger(options).build();
  }

  @AfterAll
  void disconnect() {
    wire.close();
  }

  @BeforeEach
  void create() {
    name = "s_" + UUID.randomUUID();
    done(ada.create(name, 1));
    wire.clear();
  }

  private static void done(Mono<?> work) {
    StepVerifier.create(work.then()).expectComplete().verify(LIMIT);
  }

  private static <T> T given(Mono<T> work) {
    return Objects.requireNonNull(work.block(LIMIT));
  }

  private List<Entry> entries() {
    return given(audit.ledger().entries(name).collectList());
  }

  @Test
  void aReservationWithItsEntryCostsNoFurtherRequest() {
    done(plain.reserve(name, 10));
    List<String> without = wire.calls();
    wire.clear();
    done(ada.reserve(name, 10));
    assertThat(wire.calls()).isEqualTo(without).hasSize(2);
  }

  @Test
  void anEntryHasTheBlockItsHolderAndTheTimeOfTheCommit() {
    Instant before = Instant.now().minusSeconds(5);
    done(ada.reserve(name, 10));
    done(bob.reserve(name, 5));
    assertThat(entries())
        .extracting(Entry::first, Entry::size, Entry::released, Entry::holder)
        .containsExactly(tuple(1L, 10L, 0L, ADA), tuple(11L, 5L, 0L, BOB));
    assertThat(entries())
        .allSatisfy(
            entry -> assertThat(entry.reservedAt()).isBetween(before, Instant.now().plusSeconds(5)))
        .isSortedAccordingTo(Comparator.comparing(Entry::reservedAt));
  }

  /** The statement is a text of its own, so that both stores have the same. */
  @Test
  void theTableIsTheOneThatTheKeysOfThisLibraryGive() {
    String built =
        TableDdl.named("sequence_ledger")
            .shardColumn("shard", 64, "sequence")
            .column("sequence", ColumnType.string(64))
            .column("first", ColumnType.int64())
            .column("id", ColumnType.int64())
            .column("size", ColumnType.int64())
            .column("released", ColumnType.int64())
            .column("holder", ColumnType.string(Holder.MAX_LENGTH))
            .column("reserved_at", ColumnType.commitTimestamp())
            .primaryKey("shard", "sequence", "first", "id")
            .build()
            .toDdl(database.dialect())
            .replaceFirst("CREATE TABLE", "CREATE TABLE IF NOT EXISTS");
    assertThat(ada.createLedgerDdl(database.dialect()))
        .startsWith(built)
        .matches(".*(90 days|INTERVAL 90 DAY).*");
  }

  @Test
  void theOwnerOfAValueIsFound() {
    done(ada.reserve(name, 10));
    done(bob.reserve(name, 5));
    assertThat(given(audit.owner(name, 10)).holder()).isEqualTo(ADA);
    assertThat(given(audit.owner(name, 11)).holder()).isEqualTo(BOB);
    assertThat(audit.owner(name, 16).blockOptional(LIMIT)).isEmpty();
    assertThat(audit.owner("none", 1).blockOptional(LIMIT)).isEmpty();
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
  void aCounterThatWasSetBackIsFound() {
    done(ada.reserve(name, 10));
    done(
        SpannerTransactions.readWrite(
            wire.client(),
            transaction ->
                Mono.fromRunnable(
                    () ->
                        transaction.buffer(
                            new SequenceTable("sequences", "name", "next_value", 64)
                                .update(name, 6)))));
    assertThat(given(audit.counter(name))).matches(SequenceAudit.CounterCheck::isBehind);
    done(bob.reserve(name, 10));
    assertThat(given(audit.overlaps(name).collectList()))
        .singleElement()
        .satisfies(
            overlap -> {
              assertThat(overlap.lower().holder()).isEqualTo(ADA);
              assertThat(overlap.upper().holder()).isEqualTo(BOB);
              assertThat(overlap.first()).isEqualTo(6);
              assertThat(overlap.last()).isEqualTo(10);
            });
  }

  @Test
  void reservationsWithoutTheLedgerAreUnrecorded() {
    done(ada.reserve(name, 10));
    done(plain.reserve(name, 10));
    done(ada.reserve(name, 10));
    assertThat(given(audit.unrecorded(name).collectList()))
        .singleElement()
        .matches(found -> found.first() == 11 && found.last() == 20);
  }

  @Test
  void theGapsOfADeadProcessAreFoundWithIt() {
    List<Long> used = new ArrayList<>();
    SequenceGenerator dies = SequenceGenerator.builder(ada, name).blockSize(100).build();
    used.addAll(given(dies.values().take(30).collectList()));
    // Nothing disposes it: as if its process had been killed.
    SequenceGenerator lives = SequenceGenerator.builder(bob, name).blockSize(100).build();
    used.addAll(given(lives.values().take(20).collectList()));
    done(lives.disposeLater());
    List<Gap> gaps =
        given(audit.gaps(name, Flux.fromIterable(used.stream().sorted().toList())).collectList());
    assertThat(gaps)
        .singleElement()
        .matches(gap -> gap.first() == 31 && gap.last() == 100 && gap.size() == 70)
        .matches(gap -> gap.entry().holder().equals(ADA));
    dies.dispose();
  }

  @Test
  void aTransactionRecordsWhatItTook() {
    TransactionalSequence<SpannerTransaction> sequence = ada.transactional(name);
    done(
        SpannerTransactions.readWrite(
            wire.client(),
            transaction -> sequence.next(transaction).then(sequence.next(transaction, 3))));
    done(
        SpannerTransactions.readWrite(wire.client(), sequence::next)
            .then(
                SpannerTransactions.readWrite(
                        wire.client(),
                        transaction ->
                            sequence
                                .next(transaction)
                                .then(Mono.error(new IllegalStateException("rolled back"))))
                    .onErrorComplete()));
    assertThat(entries())
        .extracting(Entry::first, Entry::size)
        .containsExactly(tuple(1L, 4L), tuple(5L, 1L));
  }

  @Test
  void skippedValuesAreNotInTheLedger() {
    SkippedValues skipped = SkippedValues.NONE.and(3, 5).and(10, 20);
    TransactionalSequence<SpannerTransaction> sequence = ada.transactional(name, skipped);
    List<Long> taken =
        given(
            SpannerTransactions.readWrite(
                wire.client(), transaction -> sequence.next(transaction, 4)));
    assertThat(taken).containsExactly(1L, 2L, 6L, 7L);
    assertThat(given(ada.reserve(new ReservationRequest(name, 3, null, skipped))))
        .isEqualTo(SequenceBlock.of(21, 3));
    assertThat(entries())
        .extracting(Entry::first, Entry::size)
        .containsExactly(tuple(1L, 2L), tuple(6L, 2L), tuple(21L, 3L));
  }

  @Test
  void aGroupOfRowsLeavesRoomForTheEntry() {
    assertThat(((SpannerTransactionalSequence) plain.transactional(name)).cells()).isEqualTo(2);
    assertThat(((SpannerTransactionalSequence) ada.transactional(name)).cells()).isEqualTo(10);
  }

  @Test
  void oldEntriesAreRemoved() {
    for (int i = 0; i < 3; i++) {
      done(ada.reserve(name, 10));
    }
    Instant third = entries().get(2).reservedAt();
    assertThat(given(audit.ledger().removeBefore(name, third))).isEqualTo(2);
    assertThat(entries()).extracting(Entry::first).containsExactly(21L);
    assertThat(given(audit.counter(name)).agrees()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Pacific/Auckland", "America/Los_Angeles"})
  void theTimeZoneOfTheMachineDoesNotMatterToWhatIsRemoved(String zone) {
    TimeZone before = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone(zone));
    try {
      for (int i = 0; i < 3; i++) {
        done(ada.reserve(name, 10));
      }
      Instant third = entries().get(2).reservedAt();
      assertThat(third).isCloseTo(Instant.now(), within(30, ChronoUnit.MINUTES));
      assertThat(given(audit.ledger().removeBefore(name, third.minusSeconds(3_600)))).isZero();
      assertThat(given(audit.ledger().removeBefore(name, third))).isEqualTo(2);
    } finally {
      TimeZone.setDefault(before);
    }
  }

  @Test
  void manyOldEntriesAreRemovedInPortions() {
    Flux.range(0, 25)
        .concatMap(
            portion ->
                SpannerTransactions.readWrite(
                    wire.client(),
                    transaction ->
                        Mono.fromRunnable(
                            () ->
                                Flux.range(portion * 100, 100)
                                    .subscribe(
                                        i ->
                                            transaction.buffer(
                                                Objects.requireNonNull(ledgerOf(ada))
                                                    .entry(name, 1 + i * 10L, 10))))))
        .blockLast(LIMIT);
    assertThat(entries()).hasSize(2_500);
    wire.clear();
    assertThat(given(audit.ledger().removeBefore(name, Instant.now().plusSeconds(60))))
        .isEqualTo(2_500);
    assertThat(wire.calls().stream().filter("Commit"::equals)).hasSize(3);
  }

  private static SpannerLedger ledgerOf(SpannerSequenceStore store) {
    return (SpannerLedger) store.audit().ledger();
  }

  @Test
  void aReservationFailsIfItsEntryCannotBeWritten() {
    SpannerSequenceStore store = store(LedgerOptions.table("no_such_ledger"));
    StepVerifier.create(store.reserve(name, 10))
        .expectErrorSatisfies(
            failure ->
                assertThat(failure)
                    .isInstanceOf(SequenceStoreException.class)
                    .hasMessageContaining(
                        "its ledger in table no_such_ledger, which does not exist")
                    .hasMessageContaining("CREATE TABLE"))
        .verify(LIMIT);
    assertThat(given(store.state(name)).nextValue()).isEqualTo(1);
    StepVerifier.create(store.audit().owner(name, 1))
        .expectError(SequenceStoreException.class)
        .verify(LIMIT);
  }

  @Test
  void aLedgerOfBestEffortDoesNotFailAReservation() {
    SpannerSequenceStore store = store(LedgerOptions.table("no_such_ledger").bestEffort());
    assertThat(given(store.reserve(name, 10))).isEqualTo(SequenceBlock.of(1, 10));
    assertThat(given(store.reserve(name, 10))).isEqualTo(SequenceBlock.of(11, 10));
    StepVerifier.create(store.reserve("none", 10))
        .expectError(SequenceNotFoundException.class)
        .verify(LIMIT);
  }

  @Test
  void aStoreWithoutALedgerHasNoAudit() {
    assertThatIllegalStateException().isThrownBy(plain::audit).withMessageContaining("ledger(...)");
  }

  @Test
  void conflictingReservationsAreRecordedOnce() {
    Flux.range(0, 40).flatMap(i -> (i % 2 == 0 ? ada : bob).reserve(name, 5), 4).blockLast(LIMIT);
    assertThat(entries()).hasSize(40);
    assertThat(given(audit.overlaps(name).collectList())).isEmpty();
    assertThat(given(audit.unrecorded(name).collectList())).isEmpty();
    assertThat(given(audit.counter(name)).agrees()).isTrue();
    assertThat(given(audit.uses(name).collectList()))
        .allSatisfy(use -> assertThat(use.reservations()).isEqualTo(20));
  }
}
