package io.millrace.advisor;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A rule of the advisor. */
public enum Rule {
  /** The first column of a key rises or falls steadily, as do UUIDs that begin with a time. */
  RISING_KEY(
      Source.PRACTICE_1,
      "All new rows go to the end of the table, so one server does all the writes."),
  /** The first columns of a key or an index have few values, and the next one rises. */
  FEW_VALUES(
      Source.LINDORM_FIRST,
      "All rows with one value are neighbours, and new ones go to their end: there are only as many"
          + " places for writes as there are values."),
  /** A key may be long. */
  LONG_KEY(Source.LIMITS, "Spanner rejects a row with a key of more than 8 KiB."),
  /** The first column of an index rises or falls steadily. */
  RISING_INDEX(
      Source.PRACTICE_3,
      "An index is stored like a table: all new entries go to its end, so one server does all the"
          + " writes.");

  /** Where the rules come from. */
  private enum Source {
    PRACTICE_1(
        "Spanner, Schema design best practices, best practice 1",
        "https://cloud.google.com/spanner/docs/schema-design#primary-key-prevent-hotspots"),
    PRACTICE_3(
        "Spanner, Schema design best practices, best practice 3",
        "https://cloud.google.com/spanner/docs/schema-design#creating-indexes"),
    LINDORM_FIRST(
        "Lindorm, Design primary keys for wide tables, a scattered first column",
        "https://www.alibabacloud.com/help/en/lindorm/use-cases/design-primary-keys-for-lindormtable"),
    LIMITS("Spanner, Quotas and limits, tables", "https://cloud.google.com/spanner/quotas#tables");

    final String title;
    final String url;

    Source(String title, String url) {
      this.title = title;
      this.url = url;
    }
  }

  private final Source source;
  private final String why;

  Rule(Source source, String why) {
    this.source = source;
    this.why = why;
  }

  /**
   * Returns the rule with an id.
   *
   * @param id the id, such as {@code rising-key}
   * @throws IllegalArgumentException if there is no such rule; the message lists all
   */
  public static Rule of(String id) {
    return Arrays.stream(values())
        .filter(rule -> rule.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no rule '"
                        + Shown.word(id)
                        + "'; the rules are "
                        + Arrays.stream(values()).map(Rule::id).collect(Collectors.joining(", "))));
  }

  /** {@return the id of the rule in output and files, such as {@code rising-key}} */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** {@return the reason of the rule, in one or two sentences} */
  public String why() {
    return why;
  }

  /** {@return the document and the section that the rule is from} */
  public String source() {
    return source.title;
  }

  /** {@return the URL of that document} */
  public String url() {
    return source.url;
  }
}
