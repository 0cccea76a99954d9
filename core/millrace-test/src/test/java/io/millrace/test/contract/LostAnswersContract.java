package io.millrace.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.insert.InsertOutcome;
import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.InsertOutcome.Rejected;
import io.millrace.insert.InsertOutcome.Unknown;
import io.millrace.insert.Inserts;
import io.millrace.insert.RowWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

/**
 * The contract of insert pipelines whose commit is not answered: no row is written twice, none is
 * lost, and an outcome that cannot be found out is unknown. Extend this class, implement its
 * abstract methods, and create the tables of {@link ContractRow}.
 *
 * @param <C> the type of a transaction
 */
public abstract class LostAnswersContract<C> extends RowsFixture<C> {

  private static final AtomicLong NOTES = new AtomicLong();

  /**
   * Loses the answer to the next commit of {@link #inserts}, which fails with an error of the
   * connection.
   *
   * @param applied whether the commit takes effect
   */
  protected abstract void loseNextCommit(boolean applied);

  private List<ContractRow> rows(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> row("s", "n" + NOTES.incrementAndGet()))
        .toList();
  }

  /** The names of rows are those of sequences that begin with 1. */
  private Inserts<ContractRow, C, ?> numbered(String table) {
    return inserts(table)
        .numbered(
            transactionals(false).createMissing(1),
            row -> prefix + "s",
            (row, number) -> row.withVersion(number));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void writesEachRowOnce(boolean applied) {
    List<ContractRow> rows = rows(200);
    loseNextCommit(applied);
    assertThat(outcomes(inserts("notes"), rows)).hasOnlyElementsOfType(Committed.class);
    assertThat(stored("notes")).containsAll(rows);
  }

  @Test
  void rejectsOnlyADuplicate() {
    List<ContractRow> rows = rows(10);
    ContractRow other = new ContractRow(prefix + "other", 7, rows.get(5).note());
    outcomes(inserts("notes"), List.of(other));
    loseNextCommit(false);
    List<InsertOutcome<ContractRow>> outcomes = outcomes(inserts("notes"), rows);
    assertThat(outcomes.get(5)).isInstanceOf(Rejected.class);
    assertThat(outcomes).filteredOn(Committed.class::isInstance).hasSize(9);
    assertThat(stored("notes")).contains(other).doesNotContain(rows.get(5)).contains(rows.get(6));
  }

  @Test
  void aRowThatIsThereWithOtherValuesIsUnknown() {
    List<ContractRow> rows = rows(1);
    outcomes(inserts("notes"), List.of(rows.get(0).withVersion(7)));
    loseNextCommit(false);
    assertThat(outcomes(inserts("notes"), rows)).hasOnlyElementsOfType(Unknown.class);
    assertThat(stored("notes")).contains(rows.get(0).withVersion(7));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void keepsTheNumbersOfRowsWithAKeyOfTheirOwn(boolean applied) {
    loseNextCommit(applied);
    List<InsertOutcome<ContractRow>> outcomes = outcomes(numbered("notes"), rows(20));
    assertThat(outcomes).hasOnlyElementsOfType(Committed.class);
    assertThat(outcomes).extracting(o -> o.row().version()).isEqualTo(run(1, 20));
    assertThat(versions("notes")).containsOnly(Map.entry("s", run(1, 20)));
    assertThat(nextValue(prefix + "s")).isEqualTo(21);
  }

  @Test
  void rowsWhoseKeyHasTheirNumberAreUnknownFromTheFirstNumberOn() {
    for (long number = 1; number <= 2; number++) {
      loseNextCommit(true);
      assertThat(outcomes(numbered("facts"), rows(1)))
          .singleElement()
          .isInstanceOfSatisfying(
              Unknown.class,
              unknown ->
                  assertThat(unknown.reason()).hasMessageContaining("depends on its number"));
      assertThat(versions("facts")).containsOnly(Map.entry("s", run(1, number)));
      assertThat(nextValue(prefix + "s")).isEqualTo(number + 1);
    }
  }

  @Test
  void onlyARowWhoseAssignerAcceptsNoOtherNumberIsUnknown() {
    List<ContractRow> rows = rows(3);
    Inserts<ContractRow, C, ?> inserts =
        inserts("notes")
            .numbered(
                transactionals(false).createMissing(1),
                row -> prefix + "s",
                (row, number) -> {
                  if (row.equals(rows.get(1)) && number != 2) {
                    throw new IllegalArgumentException("another version");
                  }
                  return row.withVersion(number);
                });
    loseNextCommit(true);
    assertThat(outcomes(inserts, rows))
        .hasExactlyElementsOfTypes(Committed.class, Unknown.class, Committed.class);
    assertThat(versions("notes")).containsOnly(Map.entry("s", run(1, 3)));
  }

  @Test
  void callersOfAWriterGetNumbersWithoutAGap() {
    RowWriter<ContractRow> writer = numbered("notes").groupSize(4).writer();
    List<ContractRow> saved = new ArrayList<>();
    for (int round = 0; round < 6; round++) {
      loseNextCommit(round % 2 == 0);
      saved.addAll(answer(Flux.fromIterable(rows(7)).flatMap(writer::write, 7).collectList()));
    }
    await(writer.disposeLater());
    assertThat(versions(saved)).containsOnly(Map.entry("s", run(1, 42)));
    assertThat(versions("notes")).isEqualTo(versions(saved));
    assertThat(nextValue(prefix + "s")).isEqualTo(43);
  }
}
