package io.millrace.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.insert.RowWriterMetricsRecorder;
import io.millrace.micrometer.PromQl.Selector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The dashboard and the alerts of docs/monitoring read what Prometheus gets from a generator. */
class MonitoringFilesTest {

  /**
   * A query and the texts that show its labels.
   *
   * @param text the query
   * @param texts where Grafana or Prometheus puts in the values of labels
   */
  private record Query(String where, String text, String texts) {}

  private static final Path DOCS = Path.of(System.getProperty("basedir", "."), "..", "..", "docs");
  private static final Pattern SHOWN_LABEL =
      Pattern.compile("\\{\\{\\s*(?:\\$labels\\.)?(?!\\$)(\\w+)");
  private static final Pattern METER =
      Pattern.compile("(?m)^\\| `(millrace\\.(?:sequence|writer)\\.[\\w.]+)`");

  /** Unbounded demand raises it to 9.2e18. */
  private static final Set<String> LEFT_OUT = Set.of("millrace.sequence.unmet");

  private static Scrape scrape = new Scrape(Map.of());

  @BeforeAll
  static void scrape() {
    scrape = Scrape.ofAProgram();
    assertThat(scrape.labels()).hasSizeGreaterThan(15);
  }

  private static JsonNode dashboard() throws IOException {
    return JsonMapper.shared()
        .readTree(Files.readString(DOCS.resolve("monitoring/grafana-dashboard.json")));
  }

  private static List<Query> panels() throws IOException {
    List<Query> queries = new ArrayList<>();
    for (JsonNode panel : dashboard().get("panels")) {
      for (JsonNode target : panel.path("targets")) {
        queries.add(
            new Query(
                panel.get("title").asString(),
                target.get("expr").asString(),
                target.get("legendFormat").asString()));
      }
    }
    assertThat(queries).hasSizeGreaterThan(15);
    return queries;
  }

  private static List<Query> variables() throws IOException {
    List<Query> queries = new ArrayList<>();
    for (JsonNode variable : dashboard().at("/templating/list")) {
      if (variable.get("type").asString().equals("query")) {
        queries.add(
            new Query(variable.get("name").asString(), variable.at("/query/query").asString(), ""));
      }
    }
    assertThat(queries).hasSize(4);
    return queries;
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> rules() throws IOException {
    String text = Files.readString(DOCS.resolve("monitoring/alerts.yaml"));
    Map<String, List<Map<String, Object>>> file = new Yaml().load(text);
    List<Map<String, Object>> rules = new ArrayList<>();
    for (Map<String, Object> group : file.getOrDefault("groups", List.of())) {
      rules.addAll((List<Map<String, Object>>) group.getOrDefault("rules", List.of()));
    }
    assertThat(rules).hasSizeGreaterThan(5);
    return rules;
  }

  private static List<Query> alerts() throws IOException {
    return rules().stream()
        .map(
            rule ->
                new Query(
                    "" + rule.get("alert"), "" + rule.get("expr"), "" + rule.get("annotations")))
        .toList();
  }

  private static List<Query> all() throws IOException {
    return Stream.of(panels(), variables(), alerts()).flatMap(List::stream).toList();
  }

  @Test
  void everyMetricOfAQueryIsScraped() throws IOException {
    for (Query query : all()) {
      List<Selector> selectors = PromQl.parse(query.text()).selectors();
      assertThat(selectors).as(query.where()).isNotEmpty();
      assertThat(selectors)
          .as(query.where())
          .allSatisfy(selector -> assertThat(scrape.labels()).containsKey(selector.metric()));
    }
  }

  @Test
  void everyLabelOfAQueryIsOneOfItsMetrics() throws IOException {
    for (Query query : all()) {
      PromQl promQl = PromQl.parse(query.text());
      for (Selector selector : promQl.selectors()) {
        assertThat(scrape.labelsOf(selector.metric()))
            .as("%s: %s", query.where(), selector.metric())
            .containsAll(selector.matchers().keySet())
            .containsAll(promQl.grouping());
      }
    }
  }

  @Test
  void aTextShowsALabelThatTheResultHas() throws IOException {
    int shown = 0;
    for (Query query : all()) {
      PromQl promQl = PromQl.parse(query.text());
      Set<String> labels =
          promQl.grouping().isEmpty()
              ? scrape.labelsOf(promQl.selectors().get(0).metric())
              : promQl.grouping();
      List<String> names =
          SHOWN_LABEL.matcher(query.texts()).results().map(label -> label.group(1)).toList();
      assertThat(labels).as(query.where()).containsAll(names);
      shown += names.size();
    }
    assertThat(shown).isGreaterThan(25);
  }

  @Test
  void everyOutcomeInAQueryCanOccur() throws IOException {
    Set<String> outcomes =
        Stream.concat(
                MicrometerRecorderTest.OUTCOMES.stream(),
                Arrays.stream(RowWriterMetricsRecorder.Outcome.values())
                    .map(outcome -> outcome.name().toLowerCase(Locale.ROOT)))
            .collect(Collectors.toSet());
    Set<String> named = new HashSet<>();
    for (Query query : all()) {
      for (Selector selector : PromQl.parse(query.text()).selectors()) {
        String outcome = selector.matchers().get("outcome");
        if (outcome != null) {
          named.addAll(List.of(outcome.split("\\|")));
        }
      }
    }
    assertThat(named).contains("success").isSubsetOf(outcomes);
  }

  @Test
  void everyMeterIsOnTheDashboardOrLeftOutForAReason() throws IOException {
    String shown =
        panels().stream()
            .flatMap(query -> PromQl.parse(query.text()).selectors().stream())
            .map(selector -> selector.metric() + "_")
            .collect(Collectors.joining(" "));
    List<String> missing =
        METER
            .matcher(Files.readString(DOCS.resolve("operating.md")))
            .results()
            .map(row -> row.group(1))
            .filter(meter -> !shown.contains(meter.replace('.', '_') + "_"))
            .toList();
    assertThat(missing).containsExactlyInAnyOrderElementsOf(LEFT_OUT);
  }

  @Test
  void theCapacityThatIsLeftIsComparedWithTheValuesThatAreReserved() throws IOException {
    Query low =
        alerts().stream()
            .filter(alert -> alert.where().equals("MillraceCapacityLow"))
            .findFirst()
            .orElseThrow();
    assertThat(PromQl.parse(low.text()).selectors())
        .extracting(Selector::metric)
        .containsExactly(
            "millrace_sequence_remaining_values", "millrace_sequence_block_values_sum");
  }

  @Test
  void everyAlertSaysWhatItMeansAndThePageNamesThreeToStartWith() throws IOException {
    assertThat(rules())
        .extracting(rule -> "" + rule.get("alert"))
        .doesNotHaveDuplicates()
        .contains("MillraceOutage", "MillraceReservationRefused", "MillraceCapacityLow")
        .hasSize(10);
    assertThat(rules())
        .allSatisfy(
            rule -> assertThat("" + rule.get("annotations")).contains("summary=", "description="));
    List<String> onThePage =
        Pattern.compile("(?m)^\\| `(Millrace\\w+)` \\|")
            .matcher(Files.readString(DOCS.resolve("operating.md")))
            .results()
            .map(row -> row.group(1))
            .toList();
    assertThat(onThePage)
        .containsExactly("MillraceOutage", "MillraceReservationRefused", "MillraceCapacityLow");
  }
}
