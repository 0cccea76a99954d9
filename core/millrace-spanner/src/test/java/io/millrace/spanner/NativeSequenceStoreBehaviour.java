package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.cloud.spanner.Dialect;
import com.google.spanner.v1.CommitRequest;
import com.google.spanner.v1.ExecuteSqlRequest;
import io.grpc.Status;
import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.key.BitReversal;
import io.millrace.test.emulator.EmulatorDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** What the store does with Spanner's own sequences, on each kind of database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class NativeSequenceStoreBehaviour {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private EmulatorDatabase database;
  private Wire wire;
  private NativeSequenceStore store;
  private int names;

  @BeforeAll
  void connect(EmulatorDatabase created) {
    database = created;
    wire = new Wire(created);
    store = NativeSequenceStore.create(wire.client());
  }

  @AfterAll
  void disconnect() {
    wire.close();
  }

  @BeforeEach
  void clear() {
    wire.clear();
  }

  private boolean isPostgreSql() {
    return database.dialect() == Dialect.POSTGRESQL;
  }

  private String name() {
    return "seq_" + names++;
  }

  private String newSequence(long start) {
    String name = name();
    createSequence(name, start);
    return name;
  }

  private void createSequence(String name, long start) {
    String ddl = new NativeQueries(name, database.dialect()).create();
    database.update(start == 1 ? ddl : ddl + " START COUNTER WITH " + start);
  }

  /** The counter that a value was made of, and the other way round. */
  private static long counterOf(long value) {
    return BitReversal.PRESERVING_SIGN.applyAsLong(value);
  }

  private static <T> T answer(Mono<T> mono) {
    return Objects.requireNonNull(mono.block(LIMIT));
  }

  private static List<Long> valuesOf(SequenceBlock block) {
    return LongStream.range(0, block.size()).mapToObj(block::valueAt).toList();
  }

  private List<Long> reserve(String name, long size) {
    return valuesOf(answer(store.reserve(name, size)));
  }

  private static List<Long> reversed(long first, long size) {
    return LongStream.range(first, first + size).map(BitReversal.PRESERVING_SIGN).boxed().toList();
  }

  @Test
  void aReservationIsOneQueryAndOneCommitAndGivesTheReversalsOfTheCounter() {
    String name = newSequence(50);
    assertThat(reserve(name, 100)).containsExactlyInAnyOrderElementsOf(reversed(50, 100));
    assertThat(wire.calls()).containsExactly("ExecuteStreamingSql", "Commit");
    assertThat(wire.requests(ExecuteSqlRequest.class).get(0).getRequestOptions())
        .satisfies(
            options -> assertThat(options.getTransactionTag()).isEqualTo("sequence=" + name));
    assertThat(wire.requests(CommitRequest.class).get(0).getMutationsCount()).isZero();
    assertThat(reserve(name, 1)).isEqualTo(reversed(150, 1));
  }

  @ParameterizedTest
  @CsvSource({"9999, 1", "10000, 1", "10001, 2", "20000, 2", "20001, 3"})
  void aReservationSendsNoMoreQueriesThanItsValuesNeed(long size, int queries) {
    String name = newSequence(1);
    assertThat(reserve(name, size)).hasSize((int) size).doesNotHaveDuplicates();
    assertThat(wire.calls())
        .startsWith("ExecuteStreamingSql")
        .endsWith("Commit")
        .hasSize(queries + 1);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, 1_000_001, Long.MAX_VALUE})
  void aSizeOutOfRangeIsRefused(long size) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> store.reserve("s", size).block(LIMIT))
        .withMessageContaining(size < 1 ? "at least 1 value" : "1 to 1000000")
        .withMessageContaining("was " + size);
    assertThat(wire.calls()).isEmpty();
  }

  @Test
  void theStateIsTheReversalOfTheCounter() {
    String name = newSequence(50);
    assertThat(answer(store.state(name))).isEqualTo(new SequenceState(name, counterOf(50)));
    reserve(name, 7);
    assertThat(answer(store.state(name))).isEqualTo(new SequenceState(name, counterOf(57)));
    assertThat(counterOf(50)).isEqualTo(2738188573441261568L);

    String fromOne = newSequence(1);
    assertThat(answer(store.state(fromOne))).isEqualTo(new SequenceState(fromOne, 1L << 62));
  }

  @Test
  void aSequenceOfASchemaIsFoundByItsFullName() {
    database.update("CREATE SCHEMA ids");
    createSequence("ids.orders", 7);
    assertThat(reserve("ids.orders", 2)).containsExactlyInAnyOrderElementsOf(reversed(7, 2));
    assertThat(counterOf(answer(store.state("ids.orders")).nextValue())).isEqualTo(9);
    assertThatExceptionOfType(SequenceNotFoundException.class)
        .isThrownBy(() -> reserve("orders", 1));
  }

  @Test
  void skippedValuesAreNotGiven() {
    // The counter's value 2 is the reversal 2^61, and so on.
    String name = newSequence(1L << 61, 1L << 62);
    List<Long> values = reserve(name, 200);
    assertThat(values).hasSize(200).doesNotHaveDuplicates();
    assertThat(values).allMatch(value -> value < 1L << 61 || value > 1L << 62);
  }

  @Test
  void aSequenceAtItsEndIsExhausted() {
    String name = newSequence(Long.MAX_VALUE - 2);
    assertThat(reserve(name, 2))
        .containsExactlyInAnyOrderElementsOf(reversed(Long.MAX_VALUE - 2, 2));
    assertThatExceptionOfType(SequenceExhaustedException.class)
        .isThrownBy(() -> reserve(name, 5))
        .satisfies(
            error -> {
              assertThat(error.sequence()).isEqualTo(name);
              assertThat(error.nextValue()).as("the counter").isEqualTo(Long.MAX_VALUE);
              assertThat(error.limit()).isEqualTo(Long.MAX_VALUE);
              assertThat(error)
                  .hasMessageEndingWith("; move to another sequence")
                  .hasCauseInstanceOf(RuntimeException.class);
            });
  }

  @Test
  void aSequenceThatSkipsAllIsExhausted() {
    String name = newSequence(1, Long.MAX_VALUE);
    assertThatExceptionOfType(SequenceExhaustedException.class)
        .isThrownBy(() -> reserve(name, 1))
        .satisfies(error -> assertThat(error.sequence()).isEqualTo(name));
  }

  @Test
  void aMissingSequenceIsReportedWithTheStatementThatCreatesIt() {
    String quoted = isPostgreSql() ? "\"absent\"" : "`absent`";
    for (Mono<?> request :
        List.of(
            store.reserve("absent", 1),
            store.reserve(new ReservationRequest("absent", 1, 1L)),
            store.create("absent", 1),
            store.state("absent"))) {
      assertThatExceptionOfType(SequenceNotFoundException.class)
          .isThrownBy(() -> request.block(LIMIT))
          .withMessageContaining("'absent'")
          .withMessageContaining(
              "; create it: CREATE SEQUENCE " + quoted + " BIT_REVERSED_POSITIVE");
    }
    assertThatExceptionOfType(SequenceNotFoundException.class)
        .isThrownBy(() -> reserve("nowhere.absent", 1));
  }

  @Test
  void createLeavesASequenceThatExistsAsItIs() {
    String name = newSequence(9);
    store.create(name, 100).block(LIMIT);
    assertThat(reserve(name, 1)).isEqualTo(reversed(9, 1));
  }

  @Test
  void theValuesOfACommitWithoutAnAnswerAreNeverGiven() {
    String name = newSequence(1);
    wire.answerCommitWith(Status.UNKNOWN.withDescription("connection reset"));
    assertThatExceptionOfType(CommitOutcomeUnknownException.class)
        .isThrownBy(() -> reserve(name, 3));
    assertThat(reserve(name, 3)).containsExactlyInAnyOrderElementsOf(reversed(4, 3));
  }

  @Test
  void anAbortedReservationIsMadeAgainAndItsValuesAreAGap() {
    String name = newSequence(1);
    wire.answerCommitWith(Status.ABORTED.withDescription("scripted"));
    assertThat(reserve(name, 3)).containsExactlyInAnyOrderElementsOf(reversed(4, 3));
    assertThat(wire.calls().stream().filter("Commit"::equals)).hasSize(2);
  }

  @Test
  void nothingIsGivenBeforeTheCommitIsAnswered() {
    String name = newSequence(1);
    List<SequenceBlock> given = new ArrayList<>();
    wire.hold("Commit");
    Mono<SequenceBlock> reservation = store.reserve(name, 3).doOnNext(given::add).cache();
    reservation.subscribe();
    Awaitility.await().atMost(LIMIT).until(() -> wire.heldAnswers() == 1);
    assertThat(given).isEmpty();
    wire.release();
    assertThat(answer(reservation).size()).isEqualTo(3);
    assertThat(given).hasSize(1);
  }

  @Test
  void aGeneratorPrefetchesWithoutDuplicatesAndReservesAfreshAfterALostAnswer() {
    String name = newSequence(1);
    SequenceGenerator generator =
        SequenceGenerator.builder(store, name).blockSize(100).lowWatermark(20).build();
    answer(generator.warmup().thenReturn(true));
    assertThat(wire.calls()).containsExactly("ExecuteStreamingSql", "Commit");
    wire.answerCommitWith(Status.UNKNOWN.withDescription("connection reset"));
    Set<Long> values = new HashSet<>(answer(generator.values().take(950).collectList()));
    values.addAll(answer(generator.next(50)));
    assertThat(values).hasSize(1_000);
    assertThat(values.stream().map(NativeSequenceStoreBehaviour::counterOf))
        .as("beside these, one reservation was lost, and little is ahead")
        .allMatch(counter -> counter <= 1_000 + 950 + 220);
    generator.disposeLater().block(LIMIT);
    assertThat(reserve(name, 10)).doesNotContainAnyElementsOf(values);
  }

  private String newSequence(long firstSkipped, long lastSkipped) {
    String name = name();
    database.update(
        isPostgreSql()
            ? "CREATE SEQUENCE %s BIT_REVERSED_POSITIVE SKIP RANGE %d %d"
                .formatted(name, firstSkipped, lastSkipped)
            : ("CREATE SEQUENCE %s OPTIONS (sequence_kind = 'bit_reversed_positive',"
                    + " skip_range_min = %d, skip_range_max = %d)")
                .formatted(name, firstSkipped, lastSkipped));
    return name;
  }
}
