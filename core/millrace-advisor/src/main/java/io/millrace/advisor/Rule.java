package io.millrace.advisor;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A rule of the advisor. */
public enum Rule {
  /** The first column of a key rises or falls steadily. */
  RISING_KEY(
      Source.PRACTICE_1,
      "All new rows go to the end of the table, so one server does all the writes."),
  /** The first column of a key is a UUID whose first bits are a time. */
  TIME_UUID_KEY(
      Source.PRACTICE_1,
      "The first bits of such a UUID are a time, so it rises like a timestamp. Version 4 is"
          + " random."),
  /** A table of events in the order of time, without a shard before the time. */
  LOG_WITHOUT_SHARD(
      Source.LOG_TABLES, "A log is written at its end, so one server does all the writes."),
  /** The first columns of a key or an index have few values, and the next one rises. */
  FEW_VALUES(
      Source.LINDORM_FIRST,
      "All rows with one value are neighbours, and new ones go to their end: there are only as many"
          + " places for writes as there are values."),
  /** All sampled keys begin with the same characters. */
  COMMON_PREFIX(
      Source.LINDORM_FIRST,
      "Keys with a common beginning are neighbours, and the same characters are stored with"
          + " each row."),
  /** A key may be long. */
  LONG_KEY(Source.LIMITS, "Spanner rejects a row with a key of more than 8 KiB."),
  /** The first column of an index rises or falls steadily. */
  RISING_INDEX(
      Source.PRACTICE_3,
      "An index is stored like a table: all new entries go to its end, so one server does all the"
          + " writes."),
  /** A table is sharded, and an index on a rising column of it is not. */
  INDEX_WITHOUT_SHARD(
      Source.PRACTICE_3,
      "The table spreads its writes; the index brings them together again at its end."),
  /** A table's key begins with that of a table it refers to. */
  INTERLEAVE_CANDIDATE(
      Source.INTERLEAVING,
      "The rows could be stored next to the row they belong to, so that one server reads them"
          + " together."),
  /** An index begins with the key of the table's parent, and then rises. */
  INTERLEAVED_INDEX_CANDIDATE(
      Source.PRACTICE_3,
      "The index could be stored next to the parent's rows, and spread like them."),
  /** A table is interleaved in one whose rows make a hotspot. */
  INTERLEAVED_IN_HOTSPOT(
      Source.INTERLEAVING,
      "The rows are stored next to the parent's and share its hotspot: interleaving does not help"
          + " here."),
  /** Spanner reports a part of a table that is too busy. */
  HOT_SPLIT(
      Source.STATISTICS, "Spanner could not spread the load of this range over further servers."),
  /** Spanner reports transactions that wait for each other. */
  LOCK_WAITS(Source.STATISTICS, "Transactions wait here for the locks of other transactions.");

  /** Where the rules come from. */
  private enum Source {
    PRACTICE_1(
        "Spanner, Schema design best practices, best practice 1",
        "https://cloud.google.com/spanner/docs/schema-design#primary-key-prevent-hotspots"),
    PRACTICE_3(
        "Spanner, Schema design best practices, best practice 3",
        "https://cloud.google.com/spanner/docs/schema-design#creating-indexes"),
    LOG_TABLES(
        "Spanner, Schema design best practices, best practice 1; Lindorm, log and time-series"
            + " designs",
        "https://cloud.google.com/spanner/docs/schema-design#primary-key-prevent-hotspots"),
    INTERLEAVING(
        "Spanner, Schemas overview, interleaved tables",
        "https://cloud.google.com/spanner/docs/schema-and-data-model"),
    LINDORM_FIRST(
        "Lindorm, Design primary keys for wide tables, a scattered first column",
        "https://www.alibabacloud.com/help/en/lindorm/use-cases/design-primary-keys-for-lindormtable"),
    LIMITS("Spanner, Quotas and limits, tables", "https://cloud.google.com/spanner/quotas#tables"),
    STATISTICS(
        "Spanner, hot split statistics and lock statistics",
        "https://cloud.google.com/spanner/docs/introspection");

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
