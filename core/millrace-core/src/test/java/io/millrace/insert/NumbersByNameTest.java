package io.millrace.insert;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceException;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequencesRefusedException;
import io.millrace.TransactionalSequences;
import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.InsertOutcome.Rejected;
import io.millrace.insert.InsertOutcome.Unknown;
import io.millrace.insert.spi.GroupFailedException;
import io.millrace.insert.spi.GroupFailedException.Kind;
import io.millrace.insert.spi.GroupTransactions;
import io.millrace.insert.spi.Numbering;
import io.millrace.insert.spi.PreparedRow;
import io.millrace.insert.spi.TimeLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Groups whose rows name their sequences, against a database in memory with random failures. */
@Timeout(120)
class NumbersByNameTest {

  private static final IllegalStateException UNREACHABLE = new IllegalStateException("on purpose");

  private static final class Deliberate extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** What is wrong with a row. */
  private enum Fault {
    NONE,
    NAME_THROWS,
    NAME_IS_NULL,
    NO_NUMBERS,
    MISSING,
    ASSIGNER_THROWS,
    ASSIGNER_RETURNS_NULL,
    REFUSED
  }

  private record Row(int index, String name, int count, Fault fault, List<Long> numbers) {

    Row(int index, String name, int count, Fault fault) {
      this(index, name, count, fault, List.of());
    }

    @SuppressWarnings("NullAway") // on purpose
    String sequence() {
      return switch (fault) {
        case NAME_THROWS -> throw new Deliberate();
        case NAME_IS_NULL -> null;
        case MISSING -> "missing";
        default -> name;
      };
    }

    int size() {
      return fault == Fault.NO_NUMBERS ? 0 : count;
    }

    @SuppressWarnings("NullAway") // on purpose
    Row with(List<Long> given) {
      return switch (fault) {
        case ASSIGNER_THROWS -> throw new Deliberate();
        case ASSIGNER_RETURNS_NULL -> null;
        default -> new Row(index, name, count, fault, given);
      };
    }
  }

  private record Prepared(Row row) implements PreparedRow<Row> {

    @Override
    public long cells() {
      return 1;
    }

    @Override
    public long bytes() {
      return 1;
    }
  }

  /** The counters and the rows, as a transaction sees them and as they are committed. */
  private record Content(Map<String, Long> counters, Map<String, List<Long>> numbers) {

    Content copy() {
      Map<String, List<Long>> rows = new TreeMap<>();
      numbers.forEach((name, each) -> rows.put(name, new ArrayList<>(each)));
      return new Content(new TreeMap<>(counters), rows);
    }
  }

  /** Creates all sequences except the one that is named "missing". */
  private static final class Sequences implements TransactionalSequences<Content> {

    @Override
    public Mono<Map<String, List<Long>>> next(Content transaction, Map<String, Integer> counts) {
      Map<String, SequenceException> refused = new LinkedHashMap<>();
      Map<String, List<Long>> values = new HashMap<>();
      counts.forEach(
          (name, count) -> {
            if (name.equals("missing")) {
              refused.put(name, new SequenceNotFoundException(name, "a test", "nothing", null));
              return;
            }
            long next = transaction.counters().getOrDefault(name, 1L);
            values.put(name, LongStream.range(next, next + count).boxed().toList());
            transaction.counters().put(name, next + count);
          });
      return refused.isEmpty()
          ? Mono.just(values)
          : Mono.error(new SequencesRefusedException(refused, counts.size()));
    }

    @Override
    public TransactionalSequences<Content> createMissing(long startValue) {
      throw new AssertionError();
    }
  }

  private static final class Database extends Inserts<Row, Content, Database>
      implements GroupTransactions<Row, Prepared> {

    private final Random random;
    private final boolean fails;
    private Content content = new Content(new TreeMap<>(), new TreeMap<>());
    private int transactions;

    Database(Random random, boolean fails) {
      super(1_000, 1_000, 1_000);
      this.random = random;
      this.fails = fails;
      numbered(new Sequences(), Row::sequence, Row::size, Row::with);
      retries(0, Duration.ofMillis(1), Duration.ofMillis(1)).concurrency(1);
    }

    @Override
    protected GroupTransactions<Row, ?> transactions(
        int groupSize, long maxCells, long maxBytes, TimeLimit limit) {
      return this;
    }

    @Override
    protected Database self() {
      return this;
    }

    @Override
    public Prepared prepare(Row row) {
      return new Prepared(row);
    }

    @Override
    public Mono<List<Committed<Row>>> commit(List<Prepared> group) {
      Numbering<Row, Content> numbering = Objects.requireNonNull(numbering());
      return Mono.defer(
          () -> {
            transactions++;
            Content transaction = content.copy();
            return numbering
                .number(
                    numbering.in(transaction),
                    group,
                    (row, numbers) -> new Prepared(row),
                    1_000,
                    1_000)
                .map(rows -> committed(transaction, rows));
          });
    }

    private List<Committed<Row>> committed(Content transaction, List<Prepared> rows) {
      if (fails && random.nextInt(10) == 0) {
        throw new GroupFailedException(Kind.TRANSIENT, UNREACHABLE);
      }
      if (rows.stream().anyMatch(each -> each.row().fault() == Fault.REFUSED)) {
        throw new GroupFailedException(Kind.ROWS_REFUSED, new Deliberate());
      }
      boolean answerLost = fails && random.nextInt(10) == 0;
      if (!answerLost || random.nextBoolean()) {
        rows.forEach(
            each ->
                transaction
                    .numbers()
                    .computeIfAbsent(each.row().name(), any -> new ArrayList<>())
                    .addAll(each.row().numbers()));
        content = transaction;
      }
      if (answerLost) {
        throw new GroupFailedException(Kind.UNKNOWN, UNREACHABLE);
      }
      return rows.stream().map(each -> new Committed<>(each.row(), null)).toList();
    }

    @Override
    public Mono<List<InsertOutcome<Row>>> find(List<Prepared> group, List<Prepared> sent) {
      throw new AssertionError("numbered rows cannot be looked for");
    }

    List<InsertOutcome<Row>> write(List<Row> rows) {
      return Objects.requireNonNull(
          Flux.fromIterable(rows).transform(ordered().outcomes()).collectList().block());
    }
  }

  private static List<Row> rows(Random random, int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                new Row(
                    i,
                    "s" + random.nextInt(6),
                    1 + random.nextInt(3),
                    random.nextInt(4) == 0
                        ? Fault.values()[random.nextInt(Fault.values().length)]
                        : Fault.NONE))
        .toList();
  }

  private static void assertFault(InsertOutcome<Row> outcome, Row row, String seed) {
    assertThat(outcome)
        .as("%s, %s", seed, row)
        .isInstanceOfSatisfying(
            Rejected.class,
            rejected ->
                assertThat(rejected.reason())
                    .isInstanceOf(
                        switch (row.fault()) {
                          case NAME_IS_NULL, ASSIGNER_RETURNS_NULL -> NullPointerException.class;
                          case NO_NUMBERS -> IllegalArgumentException.class;
                          case MISSING -> SequenceNotFoundException.class;
                          default -> Deliberate.class;
                        }));
  }

  private static void assertNoGap(Content content, String seed) {
    content
        .numbers()
        .forEach(
            (name, numbers) ->
                assertThat(numbers)
                    .as("%s, %s", seed, name)
                    .isEqualTo(LongStream.rangeClosed(1, numbers.size()).boxed().toList()));
    content
        .counters()
        .forEach(
            (name, next) ->
                assertThat(next - 1L)
                    .as("%s, %s", seed, name)
                    .isEqualTo(content.numbers().getOrDefault(name, List.of()).size()));
  }

  @Test
  void numbersEachNameWithoutAGapWhateverFails() {
    int committed = 0;
    int unknown = 0;
    for (int run = 0; run < 300; run++) {
      String seed = "seed " + run;
      Random random = new Random(run);
      Database database = new Database(random, true).groupSize(1 + random.nextInt(20));
      List<Row> rows = rows(random, 60);
      List<InsertOutcome<Row>> outcomes = database.write(rows);
      assertThat(outcomes).as(seed).hasSize(60);
      for (int i = 0; i < 60; i++) {
        Row row = rows.get(i);
        InsertOutcome<Row> outcome = outcomes.get(i);
        if (outcome instanceof Rejected<Row> rejected && rejected.reason() == UNREACHABLE) {
          continue;
        }
        if (outcome instanceof Unknown) {
          assertThat(row.fault()).as(seed).isEqualTo(Fault.NONE);
          unknown++;
        } else if (row.fault() == Fault.NONE) {
          assertThat(outcome).as("%s, %s", seed, row).isInstanceOf(Committed.class);
          assertThat(outcome.row().index()).isEqualTo(i);
          committed++;
        } else {
          assertFault(outcome, row, seed);
        }
      }
      assertNoGap(database.content, seed);
    }
    assertThat(committed).isGreaterThan(1_000);
    assertThat(unknown).isGreaterThan(100);
  }

  @Test
  void withoutFailuresTheNumbersAreThoseOfCountingTheGoodRowsOfEachName() {
    for (int run = 0; run < 200; run++) {
      Random random = new Random(run);
      Database database = new Database(random, false).groupSize(1 + random.nextInt(20));
      List<Row> rows = rows(random, 60);
      List<InsertOutcome<Row>> outcomes = database.write(rows);
      Map<String, Long> counted = new TreeMap<>();
      for (int i = 0; i < 60; i++) {
        Row row = rows.get(i);
        if (row.fault() == Fault.NONE) {
          long last = counted.merge(row.name(), (long) row.count(), Long::sum);
          assertThat(outcomes.get(i).row().numbers())
              .as("seed %d, %s", run, row)
              .isEqualTo(LongStream.rangeClosed(last - row.count() + 1, last).boxed().toList());
        } else {
          assertFault(outcomes.get(i), row, "seed " + run);
        }
      }
      assertNoGap(database.content, "seed " + run);
    }
  }

  @Test
  void theRowsAtFaultAreFoundWithOneTransactionHoweverManyTheyAre() {
    Database database = new Database(new Random(1), false).groupSize(100);
    List<Row> rows =
        IntStream.range(0, 100)
            .mapToObj(
                i -> new Row(i, "s" + i % 7, 1, i % 2 == 0 ? Fault.NONE : Fault.ASSIGNER_THROWS))
            .toList();
    assertThat(database.write(rows)).filteredOn(Committed.class::isInstance).hasSize(50);
    assertThat(database.transactions).isEqualTo(2);
  }

  @Test
  void aLargeGroupWhoseTransactionsAllFailAtOnceIsSplitWithoutADeepStack() {
    Database database = new Database(new Random(1), false).groupSize(2_000);
    List<Row> rows =
        IntStream.range(0, 2_000).mapToObj(i -> new Row(i, "a", 1, Fault.REFUSED)).toList();
    assertThat(database.write(rows)).hasSize(2_000).hasOnlyElementsOfType(Rejected.class);
  }

  @Test
  void aStreamOfRowsFailsWithTheFirstRowAtFault() {
    Database database = new Database(new Random(1), false);
    List<Row> rows =
        List.of(
            new Row(0, "a", 1, Fault.NONE),
            new Row(1, "a", 1, Fault.MISSING),
            new Row(2, "a", 1, Fault.NAME_THROWS));
    InsertFailedException failure =
        (InsertFailedException)
            Objects.requireNonNull(
                Flux.fromIterable(rows)
                    .transform(database.rows())
                    .then(Mono.<Throwable>empty())
                    .onErrorResume(Mono::just)
                    .block());
    assertThat(failure).hasCauseInstanceOf(Deliberate.class);
    assertThat(failure.rows()).hasSize(3);
    assertThat(database.content.numbers()).isEmpty();
  }

  @Test
  void aGroupThatTakesMoreThanAMillionNumbersIsSplitAndARowThatDoesIsRejected() {
    Database database = new Database(new Random(1), false);
    List<Row> rows =
        List.of(
            new Row(0, "a", 600_000, Fault.NONE),
            new Row(1, "b", 600_000, Fault.NONE),
            new Row(2, "a", 1_000_001, Fault.NONE));
    List<InsertOutcome<Row>> outcomes = database.write(rows);
    assertThat(outcomes.subList(0, 2)).hasOnlyElementsOfType(Committed.class);
    assertThat(outcomes.get(2))
        .isInstanceOfSatisfying(
            Rejected.class,
            rejected ->
                assertThat(rejected.reason())
                    .hasMessage("a commit has at most 1000000 numbers, and a row has 1000001"));
  }
}
