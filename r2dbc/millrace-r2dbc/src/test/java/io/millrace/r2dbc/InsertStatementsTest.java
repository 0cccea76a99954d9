package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InsertStatementsTest {

  private static PreparedInsert<Integer> row(int n, String... columns) {
    return new PreparedInsert<>(
        n, List.of(columns), Collections.<Object>nCopies(columns.length, n));
  }

  private static List<Integer> rows(List<PreparedInsert<Integer>> statement) {
    return statement.stream().map(PreparedInsert::row).toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 400, 950})
  void anyNumberOfRowsTakesFewTextsWithinTheLimitOfParameters(int columns) {
    String[] names = IntStream.range(0, columns).mapToObj(i -> "c" + i).toArray(String[]::new);
    PreparedInsert<Integer> row = row(0, names);
    Set<Integer> sizes = new HashSet<>();
    for (int count = 1; count <= 2_000; count += 7) {
      List<List<PreparedInsert<Integer>>> statements =
          InsertStatements.withinParameters(Collections.nCopies(count, row), 950, true);
      assertThat(statements.stream().mapToInt(List::size).sum()).isEqualTo(count);
      statements.forEach(statement -> sizes.add(statement.size()));
    }
    assertThat(sizes).allSatisfy(size -> assertThat(size * columns).isLessThanOrEqualTo(950));
    assertThat(sizes.size()).isBetween(1, 11);
  }

  @Test
  void aTextThatTheDriverDoesNotKeepHasAllRowsUpToFourMegabytes() {
    PreparedInsert<Integer> small = row(0, "a", "b", "c");
    assertThat(InsertStatements.withinParameters(Collections.nCopies(1_234, small), 65_535, false))
        .hasSize(1);
    PreparedInsert<Integer> large =
        new PreparedInsert<>(0, List.of("a"), List.<Object>of("x".repeat(1_500_000)));
    assertThat(InsertStatements.withinParameters(Collections.nCopies(5, large), 65_535, false))
        .extracting(List::size)
        .containsExactly(2, 2, 1);
    PreparedInsert<Integer> huge =
        new PreparedInsert<>(0, List.of("a"), List.<Object>of("x".repeat(5_000_000)));
    assertThat(InsertStatements.withinParameters(List.of(huge, huge), 65_535, false)).hasSize(2);
  }

  @Test
  void rowsWithTheSameColumnsShareAStatementInTheirOrder() {
    assertThat(
            InsertStatements.byColumns(
                    List.of(row(1, "a"), row(2, "a", "b"), row(3, "a"), row(4, "b", "a")))
                .stream()
                .map(InsertStatementsTest::rows))
        .containsExactly(List.of(1, 3), List.of(2), List.of(4));
  }
}
