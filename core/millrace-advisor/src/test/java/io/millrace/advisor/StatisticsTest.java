package io.millrace.advisor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Spanner's own statistics, with answers in the form that its documentation describes. */
class StatisticsTest {

  private static List<List<@Nullable String>> answer(String sql) {
    if (sql.contains("split_stats")) {
      return List.of(
          List.of("100", "AccessLog(2026-11-24)", "<end>"),
          List.of("61", "Users.BySeen(2026)", "Users.BySeen(2027)"));
    }
    return sql.contains("lock_stats") ? List.of(List.of("12.5", "sequences(orders)")) : List.of();
  }

  @Test
  void aBusyRangeAndALongWaitAreFindings() {
    Advice advice = SchemaAdvisor.of(Catalog.SPANNER, StatisticsTest::answer).sampling(20).advice();
    assertThat(advice.findings())
        .extracting(Finding::severity, Finding::rule, Finding::object)
        .containsExactlyInAnyOrder(
            tuple(Severity.ERROR, Rule.HOT_SPLIT, "AccessLog"),
            tuple(Severity.WARNING, Rule.HOT_SPLIT, "Users.BySeen"),
            tuple(Severity.WARNING, Rule.LOCK_WAITS, "sequences"));
  }

  @Test
  void withoutASampleNothingIsMeasured() {
    assertThat(SchemaAdvisor.of(Catalog.SPANNER, StatisticsTest::answer).advice().findings())
        .isEmpty();
  }
}
