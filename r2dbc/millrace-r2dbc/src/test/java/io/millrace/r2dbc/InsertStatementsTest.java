package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
  @ValueSource(ints = {1, 2, 7, 250, 500})
  void anyNumberOfRowsTakesFewTexts(int most) {
    Set<Integer> sizes = new HashSet<>();
    for (int count = 1; count <= 2_000; count += 7) {
      List<List<Integer>> statements =
          InsertStatements.inFewSizes(Collections.nCopies(count, 1), most);
      assertThat(statements.stream().mapToInt(List::size).sum()).isEqualTo(count);
      statements.forEach(statement -> sizes.add(statement.size()));
    }
    assertThat(sizes).allSatisfy(size -> assertThat(size).isLessThanOrEqualTo(most));
    assertThat(sizes.size()).isBetween(1, 11);
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
