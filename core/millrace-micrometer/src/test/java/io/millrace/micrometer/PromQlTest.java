package io.millrace.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.micrometer.PromQl.Selector;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The test of the monitoring files sees every name in a query. */
class PromQlTest {

  @Test
  void metricsLabelsAndGroupsAreToldFromFunctionsAndKeywords() {
    PromQl query =
        PromQl.parse(
            """
            sum by (job, sequence) (rate(a_total{job=~"x|y}", outcome!="success"}[5m]))
              > bool 0.5 * max(b) by (pod) unless on (zone) c offset 10m
            """);
    assertThat(query.selectors())
        .containsExactly(
            new Selector("a_total", Map.of("job", "x|y}", "outcome", "success")),
            new Selector("b", Map.of()),
            new Selector("c", Map.of()));
    assertThat(query.grouping()).containsExactlyInAnyOrder("job", "sequence", "pod", "zone");
  }

  @Test
  void theQueryOfAVariableNamesItsLabel() {
    PromQl query = PromQl.parse("label_values(a{job=~\"$job\"}, instance)");
    assertThat(query.selectors()).containsExactly(new Selector("a", Map.of("job", "$job")));
    assertThat(query.grouping()).containsExactly("instance");
  }
}
