package io.millrace.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TransactionalSequences;
import io.millrace.insert.InsertOutcome;
import io.millrace.insert.Inserts;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import reactor.core.publisher.Flux;

/**
 * The insert pipelines under test, and short methods for rows.
 *
 * @param <C> the type of a transaction
 */
abstract class RowsFixture<C> extends ContractFixture {

  /** Names of streams begin with it. */
  String prefix = "";

  /**
   * Returns new pipelines into one of the tables that {@link ContractRow} describes.
   *
   * @param table {@code facts} or {@code notes}
   * @return pipelines that write a group at a time, and retry 3 times with delays of milliseconds
   */
  protected abstract Inserts<ContractRow, C, ?> inserts(String table);

  /**
   * Returns the sequences of {@link #store()}, or of {@link #anotherStore()}.
   *
   * @param another whether to use the other store
   */
  protected abstract TransactionalSequences<C> transactionals(boolean another);

  /** {@return all rows of a table} */
  protected abstract List<ContractRow> stored(String table);

  @BeforeEach
  void choosePrefix() {
    prefix = newName("");
  }

  ContractRow row(String stream, String note) {
    return new ContractRow(prefix + stream, 0, note);
  }

  static List<InsertOutcome<ContractRow>> outcomes(
      Inserts<ContractRow, ?, ?> inserts, List<ContractRow> rows) {
    List<InsertOutcome<ContractRow>> outcomes =
        answer(
            Flux.fromIterable(rows)
                .transform(inserts.groupSize(rows.size()).ordered().outcomes())
                .collectList());
    assertThat(outcomes)
        .extracting(outcome -> outcome.row().note())
        .containsExactlyElementsOf(rows.stream().map(ContractRow::note).toList());
    return outcomes;
  }

  /** The numbers of this test's rows in a table, by stream without the prefix, sorted. */
  Map<String, List<Long>> versions(String table) {
    return versions(stored(table));
  }

  Map<String, List<Long>> versions(List<ContractRow> rows) {
    return rows.stream()
        .filter(row -> Objects.requireNonNull(row.stream()).startsWith(prefix))
        .sorted((one, other) -> Long.compare(one.version(), other.version()))
        .collect(
            Collectors.groupingBy(
                row -> Objects.requireNonNull(row.stream()).substring(prefix.length()),
                TreeMap::new,
                Collectors.mapping(ContractRow::version, Collectors.toList())));
  }
}
