package io.millrace.micrometer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * What a PromQL query names.
 *
 * @param selectors the metrics that it reads
 * @param grouping the labels of its {@code by}, {@code on} and the like
 */
record PromQl(List<Selector> selectors, Set<String> grouping) {

  /**
   * A metric, and the labels and values that its series must have.
   *
   * @param matchers a pattern or a value for each label, without the quotes
   */
  record Selector(String metric, Map<String, String> matchers) {}

  private static final Pattern TOKEN =
      Pattern.compile(
          "\"(?:\\\\.|[^\"\\\\])*\"" // a string
              + "|\\[[^]]*]" // a range
              + "|[a-zA-Z_:][a-zA-Z0-9_:]*" // a name
              + "|[0-9][0-9a-zA-Z.]*" // a number or a duration
              + "|\\S");

  private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
  private static final Pattern LABEL_VALUES =
      Pattern.compile("label_values\\((.+),\\s*(\\w+)\\)", Pattern.DOTALL);

  private static final Set<String> BEFORE_LABELS =
      Set.of("by", "without", "on", "ignoring", "group_left", "group_right");
  private static final Set<String> OPERATORS = Set.of("and", "or", "unless", "bool", "offset");

  /** Reads a query, or a {@code label_values(...)} of Grafana. */
  static PromQl parse(String query) {
    var labelValues = LABEL_VALUES.matcher(query.strip());
    if (labelValues.matches()) {
      PromQl inner = parse(labelValues.group(1));
      return new PromQl(inner.selectors, Set.of(labelValues.group(2)));
    }
    return new Reader(TOKEN.matcher(query).results().map(MatchResult::group).toList()).read();
  }

  private static final class Reader {

    private final List<String> tokens;
    private final List<Selector> selectors = new ArrayList<>();
    private final Set<String> grouping = new HashSet<>();
    private int next;

    Reader(List<String> tokens) {
      this.tokens = tokens;
    }

    PromQl read() {
      while (next < tokens.size()) {
        String token = tokens.get(next++);
        if (token.equals("{")) {
          throw new IllegalArgumentException("a selector without a metric in " + tokens);
        }
        if (NAME.matcher(token).matches() && !OPERATORS.contains(token)) {
          name(token);
        }
      }
      return new PromQl(List.copyOf(selectors), Set.copyOf(grouping));
    }

    private void name(String name) {
      if (BEFORE_LABELS.contains(name)) {
        next++; // the parenthesis
        while (!tokens.get(next).equals(")")) {
          grouping.add(tokens.get(next++));
        }
        next++;
        grouping.remove(",");
      } else if (!at("(") && !BEFORE_LABELS.contains(at())) {
        selectors.add(new Selector(name, at("{") ? matchers() : Map.of()));
      }
    }

    private Map<String, String> matchers() {
      Map<String, String> matchers = new HashMap<>();
      String label = "";
      for (next++; !at("}"); next++) {
        if (NAME.matcher(at()).matches()) {
          label = at();
        } else if (at().startsWith("\"")) {
          matchers.put(label, at().substring(1, at().length() - 1));
        }
      }
      next++;
      return matchers;
    }

    private boolean at(String token) {
      return at().equals(token);
    }

    private String at() {
      return next < tokens.size() ? tokens.get(next) : "";
    }
  }
}
