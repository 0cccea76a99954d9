package io.millrace.test.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.insert.InsertFailedException;
import io.millrace.insert.InsertOutcome;
import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.InsertOutcome.Rejected;
import io.millrace.insert.Inserts;
import io.millrace.insert.RowWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The contract of insert pipelines whose rows choose their sequences: the numbers of each name have
 * no gaps. Extend this class, implement its abstract methods, and create the tables of {@link
 * ContractRow}.
 *
 * @param <C> the type of a transaction
 */
public abstract class NumbersByNameContract<C> extends RowsFixture<C> {

  private static final String BAD = "too long for the column";

  private static final class Deliberate extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  @SuppressWarnings("NullAway") // a row without a name is what a test is about
  private static String name(ContractRow row) {
    if ("throws".equals(row.stream())) {
      throw new Deliberate();
    }
    return row.stream();
  }

  private Inserts<ContractRow, C, ?> existing() {
    return inserts("facts")
        .numbered(transactionals(false), NumbersByNameContract::name, ContractRow::withVersion);
  }

  private Inserts<ContractRow, C, ?> created(boolean another) {
    return inserts("facts")
        .numbered(
            transactionals(another).createMissing(1),
            NumbersByNameContract::name,
            ContractRow::withVersion);
  }

  @Test
  void eachNameCountsByItselfInTheOrderOfTheGroup() {
    List<ContractRow> rows =
        IntStream.range(0, 300).mapToObj(i -> row("s" + i % 137, "e" + i)).toList();
    List<InsertOutcome<ContractRow>> outcomes = outcomes(created(false), rows);
    for (int i = 0; i < 300; i++) {
      assertThat(outcomes.get(i).row()).isEqualTo(rows.get(i).withVersion(1 + i / 137));
    }
    assertThat(outcomes(existing(), rows)).hasOnlyElementsOfType(Committed.class);
    assertThat(versions("facts"))
        .hasSize(137)
        .containsEntry("s0", run(1, 6))
        .containsEntry("s136", run(1, 4));
    assertThat(nextValue(prefix + "s0")).isEqualTo(7);
  }

  @Test
  void badNamesRejectOnlyTheirOwnRowsAndLoseNoNumber() {
    await(store().create(prefix + "good", 1));
    await(store().create(prefix + "full", SequenceState.LARGEST_VALUE));
    List<ContractRow> rows = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      rows.add(row("good", "g" + i));
      rows.add(row("missing", "m"));
      rows.add(new ContractRow("", 0, "illegal"));
      rows.add(new ContractRow("throws", 0, "t"));
      rows.add(new ContractRow(null, 0, "n"));
      rows.add(row("full", "f"));
      rows.add(row("good", BAD));
    }
    List<Class<?>> reasons =
        List.of(
            Void.class,
            SequenceNotFoundException.class,
            IllegalArgumentException.class,
            Deliberate.class,
            NullPointerException.class,
            SequenceExhaustedException.class,
            Exception.class);

    List<InsertOutcome<ContractRow>> outcomes = outcomes(existing(), rows);

    for (int i = 0; i < rows.size(); i++) {
      if (i % 7 == 0) {
        assertThat(outcomes.get(i)).isInstanceOf(Committed.class);
        assertThat(outcomes.get(i).row().version()).isEqualTo(1 + i / 7);
      } else {
        Class<?> reason = reasons.get(i % 7);
        assertThat(outcomes.get(i))
            .isInstanceOfSatisfying(
                Rejected.class, rejected -> assertThat(rejected.reason()).isInstanceOf(reason));
      }
    }
    assertThat(versions("facts")).containsOnly(Map.entry("good", run(1, 4)));
    assertThat(nextValue(prefix + "good")).isEqualTo(5);
    assertThat(nextValue(prefix + "full")).isEqualTo(SequenceState.LARGEST_VALUE);
  }

  @Test
  void aMissingSequenceStaysMissingIfItsRowIsRefused() {
    assertThat(outcomes(created(false), List.of(row("new", BAD))))
        .hasOnlyElementsOfType(Rejected.class);
    assertThatThrownBy(() -> nextValue(prefix + "new"))
        .isInstanceOf(SequenceNotFoundException.class);
  }

  /** Two stores, as in two processes. Names are created meanwhile, and some rows are bad. */
  @Test
  void twoWritersNumberEveryNameWithoutAGap() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<ContractRow> rows = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      rows.add(row("s" + random.nextInt(15), random.nextInt(15) == 0 ? BAD : "e" + i));
    }
    List<RowWriter<ContractRow>> writers = List.of(created(false).writer(), created(true).writer());
    List<ContractRow> saved =
        answer(
            Flux.range(0, rows.size())
                .flatMap(
                    i ->
                        writers
                            .get(i % 2)
                            .write(rows.get(i))
                            .onErrorResume(
                                InsertFailedException.class,
                                failure -> {
                                  assertThat(rows.get(i).note())
                                      .as("seed %d: %s", seed, failure.getCause())
                                      .isEqualTo(BAD);
                                  return Mono.empty();
                                }),
                    rows.size())
                .collectList());
    Map<String, List<Long>> given = versions(saved);
    assertThat(given).as("seed " + seed).isNotEmpty().isEqualTo(versions("facts"));
    given.forEach(
        (name, numbers) -> {
          assertThat(numbers).as("seed %d, %s", seed, name).isEqualTo(run(1, numbers.size()));
          assertThat(nextValue(prefix + name)).isEqualTo(numbers.size() + 1);
        });
    writers.forEach(writer -> await(writer.disposeLater()));
  }
}
