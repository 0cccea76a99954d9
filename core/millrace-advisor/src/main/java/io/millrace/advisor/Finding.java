package io.millrace.advisor;

import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A finding about one key or one index.
 *
 * @param rule the rule
 * @param severity the certainty and the importance of the finding
 * @param table the table, qualified with its schema unless that is the default one
 * @param index the index, or null for the key of the table
 * @param column the column, or null
 * @param what one sentence about this schema
 * @param remedy statements to run, or advice in a sentence; may be empty
 * @param place the line of the primary key or of the index in a file
 */
public record Finding(
    Rule rule,
    Severity severity,
    String table,
    @Nullable String index,
    @Nullable String column,
    String what,
    List<String> remedy,
    Place place) {

  private static final Pattern STATEMENT = Pattern.compile("(CREATE|ALTER|DROP) ");

  /** The most severe first, then by table. */
  static final Comparator<Finding> ORDER =
      Comparator.comparing(Finding::severity)
          .reversed()
          .thenComparing(Finding::table)
          .thenComparing(finding -> finding.index() == null ? "" : finding.index())
          .thenComparing(Finding::rule);

  /** Copies the list. */
  public Finding {
    remedy = List.copyOf(remedy);
  }

  /** {@return the name of the index, or of the table if the finding is about its key} */
  public String object() {
    return index == null ? table : index;
  }

  /** {@return the remedy as lines of SQL, with advice in comments; may be empty} */
  public String remedyText() {
    return remedy.stream()
        .map(each -> STATEMENT.matcher(each).lookingAt() ? each + ";" : "-- " + each)
        .collect(Collectors.joining("\n"));
  }

  /** Returns severity, rule, object and sentence on one line. */
  @Override
  public String toString() {
    return severity + " " + rule.id() + " " + object() + ": " + what;
  }
}
