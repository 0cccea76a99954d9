package io.millrace.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.LedgerSql.Kind;
import io.millrace.ledger.Holder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The form of the statements on a ledger, for each kind of database. The tests of the stores run
 * them. Here, columns stand in brackets, as {@code [first]}, and parameters in braces, as {@code
 * {0}}.
 */
class LedgerSqlTest {

  private static final Pattern COLUMN = Pattern.compile("\\[(\\w+)]");
  private static final Pattern PARAMETER = Pattern.compile("\\{(\\d+)}");
  private static final Instant TIME = Instant.parse("2026-11-23T20:00:00.123456789Z");
  private static final List<String> COLUMNS =
      List.of("sequence", "first", "id", "size", "released", "holder", "reserved_at");
  private static final List<String> READ =
      List.of("first", "id", "size", "released", "holder", "reserved_at");

  private static LedgerSql of(Kind kind) {
    return new LedgerSql(kind, "the_ledger", name -> "[" + name + "]", index -> "{" + index + "}");
  }

  private static String table(Kind kind, @Nullable Duration retention) {
    return of(kind).createTable("text(%d)", " ENGINE=x", 255, retention);
  }

  private static List<String> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().map((MatchResult match) -> match.group(1)).toList();
  }

  /** The part of a statement between two of its words. */
  private static String between(String from, String to, String statement) {
    assertThat(statement).contains(from, to);
    int start = statement.indexOf(from) + from.length();
    return statement.substring(start, statement.indexOf(to, start));
  }

  /** On Spanner, where parameters have names, the sequence stands in its shard as well. */
  @ParameterizedTest
  @EnumSource
  void parametersStandInTheOrderOfTheirNumbers(Kind kind) {
    LedgerSql sql = of(kind);
    Map.of(
            sql.insert(), 5,
            sql.page(10), 4,
            sql.lastKept(), 2,
            sql.release(), 4,
            sql.removalBound(TIME), 1,
            sql.remove(TIME), 2)
        .forEach(
            (statement, count) -> {
              List<String> parameters = found(PARAMETER, statement);
              assertThat(kind.isSpanner() ? parameters.stream().distinct() : parameters.stream())
                  .as(statement)
                  .containsExactlyElementsOf(
                      IntStream.range(0, count).mapToObj(Integer::toString).toList());
            });
  }

  @ParameterizedTest
  @EnumSource
  void anEntryIsWrittenToAllColumnsWithNothingReleased(Kind kind) {
    String insert = of(kind).insert();
    assertThat(insert).startsWith("INSERT INTO the_ledger (");
    assertThat(found(COLUMN, insert)).isEqualTo(COLUMNS);
    assertThat(between("VALUES (", ", {4}", insert)).isEqualTo("{0}, {1}, {2}, {3}, 0");
  }

  @ParameterizedTest
  @EnumSource
  void anEntryIsWrittenForEachRowOfASubqueryOrOnce(Kind kind) {
    String from = of(kind).insertFrom("a", "b", "c", "d", "e", "(SELECT 1) x");
    String once = of(kind).insertFrom("a", "b", "c", "d", "e", "");
    assertThat(found(COLUMN, from)).isEqualTo(COLUMNS);
    assertThat(from).startsWith("INSERT INTO the_ledger (").contains(" SELECT a, b, c, d, 0, e, ");
    assertThat(from).isEqualTo(once + " FROM (SELECT 1) x");
  }

  @ParameterizedTest
  @EnumSource
  void anEntryHasTheTimeOfTheDatabase(Kind kind) {
    String now =
        switch (kind) {
          case STANDARD -> "CURRENT_TIMESTAMP";
          case POSTGRESQL -> "clock_timestamp()";
          case MYSQL -> "UTC_TIMESTAMP(6)";
          case GOOGLESQL -> "PENDING_COMMIT_TIMESTAMP()";
          case SPANNER_POSTGRESQL -> "SPANNER.PENDING_COMMIT_TIMESTAMP()";
        };
    assertThat(of(kind).insert()).endsWith(", {4}, " + now + ")");
    assertThat(of(kind).insertFrom("a", "b", "c", "d", "e", "")).endsWith(", e, " + now);
  }

  @ParameterizedTest
  @EnumSource
  void readsHaveTheColumnsOfAnEntryInTheirOrder(Kind kind) {
    for (String read : List.of(of(kind).page(10), of(kind).lastKept())) {
      assertThat(found(COLUMN, between("SELECT ", " FROM the_ledger", read))).isEqualTo(READ);
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyStatementIsAboutOneSequenceWhichHasItsShardOnSpanner(Kind kind) {
    LedgerSql sql = of(kind);
    List<String> reads = List.of(sql.page(10), sql.lastKept(), sql.removalBound(TIME));
    for (String statement : reads) {
      assertThat(statement).contains("[sequence] = {0}");
      expectShardOf("{0}", kind, statement);
    }
    assertThat(sql.remove(TIME)).startsWith("DELETE FROM the_ledger WHERE ");
    expectShardOf("{0}", kind, sql.remove(TIME));
    assertThat(sql.release()).startsWith("UPDATE the_ledger SET [released] = ");
    expectShardOf("{1}", kind, sql.release());
  }

  private static void expectShardOf(String sequence, Kind kind, String statement) {
    String where = between(" WHERE ", "[sequence]", statement);
    if (kind.isSpanner()) {
      assertThat(where).startsWith("[shard] = MOD(MOD(").endsWith(" AND ");
      assertThat(where.toLowerCase(Locale.ROOT))
          .contains("farm_fingerprint(" + sequence + "), 64) + 64, 64)");
    } else {
      assertThat(where).isEmpty();
    }
  }

  @Test
  void onlySpannerHasShards() {
    assertThat(Kind.values())
        .filteredOn(Kind::isSpanner)
        .containsExactly(Kind.GOOGLESQL, Kind.SPANNER_POSTGRESQL);
    assertThat(of(Kind.GOOGLESQL).lastKept()).contains("(FARM_FINGERPRINT(");
    assertThat(of(Kind.SPANNER_POSTGRESQL).lastKept()).contains("(spanner.farm_fingerprint(");
  }

  @ParameterizedTest
  @EnumSource
  void aPageBeginsBehindAnEntryInTheOrderOfTheKey(Kind kind) {
    assertThat(of(kind).page(321))
        .endsWith(
            " AND [first] >= {1} AND ([first] > {2} OR [id] > {3})"
                + " ORDER BY [first], [id] LIMIT 321");
  }

  @ParameterizedTest
  @EnumSource
  void oldEntriesAreRemovedAThousandAtATime(Kind kind) {
    String time =
        switch (kind) {
          case STANDARD, POSTGRESQL ->
              "TIMESTAMP WITH TIME ZONE '2026-11-23 20:00:00.123456+00:00'";
          case MYSQL -> "'2026-11-23 20:00:00.123456'";
          case GOOGLESQL -> "TIMESTAMP '2026-11-23 20:00:00.123456+00:00'";
          case SPANNER_POSTGRESQL -> "TIMESTAMPTZ '2026-11-23 20:00:00.123456+00:00'";
        };
    String old = " AND [reserved_at] < " + time;
    assertThat(of(kind).removalBound(TIME))
        .startsWith("SELECT [first] FROM the_ledger WHERE ")
        .endsWith(old + " ORDER BY [first] LIMIT 1 OFFSET 999");
    assertThat(of(kind).remove(TIME)).endsWith("[first] <= {1}" + old);
  }

  @ParameterizedTest
  @EnumSource
  void theTableHasTheColumnsAndTheirKey(Kind kind) {
    String create = table(kind, null);
    assertThat(create).startsWith("CREATE TABLE IF NOT EXISTS the_ledger (").endsWith(" ENGINE=x");
    String columns = between("the_ledger (", "PRIMARY KEY", create);
    assertThat(found(Pattern.compile("\\[(\\w+)] [^,]*NOT NULL"), columns))
        .containsAll(COLUMNS)
        .hasSize(COLUMNS.size() + (kind.isSpanner() ? 1 : 0));
    assertThat(columns)
        .contains("[sequence] text(255) ", "[holder] text(" + Holder.MAX_LENGTH + ") ");
    String key = "[sequence], [first], [id]";
    assertThat(between("PRIMARY KEY (", ")", create))
        .isEqualTo(kind.isSpanner() ? "[shard], " + key : key);
  }

  @ParameterizedTest
  @EnumSource
  void typesAreThoseOfTheDatabase(Kind kind) {
    String create = table(kind, null);
    boolean isGoogleSql = kind == Kind.GOOGLESQL;
    for (String number : List.of("first", "id", "size", "released")) {
      assertThat(create).contains("[" + number + "] " + (isGoogleSql ? "INT64" : "bigint"));
    }
    String time =
        switch (kind) {
          case STANDARD, POSTGRESQL -> "TIMESTAMP(6) WITH TIME ZONE NOT NULL";
          case MYSQL -> "DATETIME(6) NOT NULL";
          case GOOGLESQL -> "TIMESTAMP NOT NULL OPTIONS (allow_commit_timestamp = true)";
          case SPANNER_POSTGRESQL -> "spanner.commit_timestamp NOT NULL";
        };
    assertThat(create).contains("[reserved_at] " + time);
    assertThat(create)
        .as("GoogleSQL has its key behind the columns")
        .contains(isGoogleSql ? ") PRIMARY KEY (" : ", PRIMARY KEY (");
  }

  @Test
  void theShardIsAGeneratedColumn() {
    assertThat(table(Kind.GOOGLESQL, null))
        .contains("([shard] INT64 NOT NULL AS (MOD(")
        .contains("(FARM_FINGERPRINT([sequence])", ") STORED, [sequence] ");
    assertThat(table(Kind.SPANNER_POSTGRESQL, null))
        .contains("([shard] bigint NOT NULL GENERATED ALWAYS AS (MOD(")
        .contains("(spanner.farm_fingerprint([sequence])", ") STORED, [sequence] ");
  }

  @ParameterizedTest
  @EnumSource
  void onlySpannerDeletesOldEntriesByItself(Kind kind) {
    String policy =
        switch (kind) {
          case GOOGLESQL ->
              ", ROW DELETION POLICY (OLDER_THAN([reserved_at], INTERVAL 30 DAY)) ENGINE=x";
          case SPANNER_POSTGRESQL -> " TTL INTERVAL '30 days' ON [reserved_at] ENGINE=x";
          default -> " ENGINE=x";
        };
    String kept = table(kind, null);
    assertThat(table(kind, Duration.ofDays(30))).isEqualTo(kept.replace(" ENGINE=x", policy));
  }

  @ParameterizedTest
  @EnumSource
  void aReleaseLeavesTheValuesBelowIt(Kind kind) {
    assertThat(of(kind).release())
        .contains("SET [released] = [first] + [size] - GREATEST([first], {0}) WHERE ")
        .endsWith(" AND [first] >= {2} AND [first] + [size] - [released] > {3}");
  }
}
