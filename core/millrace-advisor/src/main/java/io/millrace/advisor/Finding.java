package io.millrace.advisor;

import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the advisor found about one key or one index.
 *
 * @param rule the rule
 * @param severity how sure the finding is and how much it matters
 * @param table the table, with its schema before it unless that is the default one
 * @param index the index, or null if the finding is about the key of the table
 * @param column the column that the finding is about, or null
 * @param what one sentence about this schema
 * @param remedy statements to paste, or advice if no statement can help; may be empty
 */
public record Finding(
    Rule rule,
    Severity severity,
    String table,
    @Nullable String index,
    @Nullable String column,
    String what,
    List<String> remedy) {

  private static final Pattern STATEMENT = Pattern.compile("(CREATE|ALTER|DROP) ");

  /** The most severe first, then by table. */
  static final Comparator<Finding> ORDER =
      Comparator.comparing(Finding::severity)
          .reversed()
          .thenComparing(Finding::table)
          .thenComparing(finding -> finding.index() == null ? "" : finding.index())
          .thenComparing(Finding::rule);

  /**
   * Copies the list.
   *
   * @param rule the rule
   * @param severity how sure the finding is and how much it matters
   * @param table the table
   * @param index the index, or null
   * @param column the column, or null
   * @param what one sentence about this schema
   * @param remedy statements to paste, or advice
   */
  public Finding {
    remedy = List.copyOf(remedy);
  }

  /**
   * Returns the name of what the finding is about.
   *
   * @return the index, or the table if it is about the table's key
   */
  public String object() {
    return index == null ? table : index;
  }

  /**
   * Returns the remedy as text: statements end with a semicolon, advice stands in comments.
   *
   * @return lines to paste, or an empty text
   */
  public String remedyText() {
    return remedy.stream()
        .map(each -> STATEMENT.matcher(each).lookingAt() ? each + ";" : "-- " + each)
        .collect(Collectors.joining("\n"));
  }

  /** Returns one line: severity, rule, object and sentence. */
  @Override
  public String toString() {
    return severity + " " + rule.id() + " " + object() + ": " + what;
  }
}
