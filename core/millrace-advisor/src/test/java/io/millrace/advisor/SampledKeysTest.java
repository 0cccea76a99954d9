package io.millrace.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Mutation;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerTest;
import java.util.List;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the keys of a table tell. */
@SpannerTest
class SampledKeysTest {

  private static final int ROWS = 200;

  private final EmulatorDatabase shared;

  SampledKeysTest(EmulatorDatabase shared) {
    this.shared = shared;
  }

  private static String[] ddl(Dialect dialect) {
    return dialect == Dialect.POSTGRESQL
        ? new String[] {
          "CREATE TABLE numbers (id bigint, PRIMARY KEY (id))",
          "CREATE TABLE texts (id varchar(36), seq bigint, PRIMARY KEY (id, seq))"
        }
        : new String[] {
          "CREATE TABLE numbers (id INT64 NOT NULL) PRIMARY KEY (id)",
          "CREATE TABLE texts (id STRING(36) NOT NULL, seq INT64) PRIMARY KEY (id, seq)"
        };
  }

  private Advice numbers(Dialect dialect, int rows, IntFunction<Long> id) {
    return sampled(
        dialect,
        IntStream.range(0, rows)
            .mapToObj(i -> Mutation.newInsertBuilder("numbers").set("id").to(id.apply(i)).build())
            .toList());
  }

  private Advice texts(Dialect dialect, IntFunction<String> id) {
    return sampled(
        dialect,
        IntStream.range(0, ROWS)
            .mapToObj(
                i ->
                    Mutation.newInsertBuilder("texts")
                        .set("id")
                        .to(id.apply(i))
                        .set("seq")
                        .to(i)
                        .build())
            .toList());
  }

  private Advice sampled(Dialect dialect, List<Mutation> rows) {
    try (EmulatorDatabase database = shared.emulator().createDatabase(dialect, ddl(dialect))) {
      database.client().write(rows);
      return Advising.of(database).sampling(100).advice();
    }
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void numbersThatAreCountedUpAreAHotspot(Dialect dialect) {
    Advice advice = numbers(dialect, ROWS, i -> (long) i);
    assertThat(advice.findings())
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.rule()).isEqualTo(Rule.RISING_KEY);
              assertThat(found.severity()).isEqualTo(Severity.ERROR);
              assertThat(found.what()).contains("has 200 values from 0 to 199");
            });
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void numbersThatSpreadAreNot(Dialect dialect) {
    Advice advice = numbers(dialect, ROWS, i -> Long.reverse(i + 1L));
    assertThat(advice.findings()).isEmpty();
    assertThat(advice.notes()).noneMatch(note -> note.contains("numbers.id"));
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void numbersThatAreSmallAndFarApartMayBeRandom(Dialect dialect) {
    Advice advice = numbers(dialect, ROWS, i -> i * 1_000_003L + i % 7);
    assertThat(advice.findings()).isEmpty();
    assertThat(advice.notes()).anyMatch(note -> note.contains("numbers.id"));
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void aFewRowsTellNothing(Dialect dialect) {
    Advice advice = numbers(dialect, 19, i -> (long) i);
    assertThat(advice.findings()).isEmpty();
    assertThat(advice.notes()).anyMatch(note -> note.contains("the sample does not show it"));
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void uuidsThatBeginWithATimeAreAHotspot(Dialect dialect) {
    Advice advice = texts(dialect, i -> String.format("0192f0c1-%04x-7abc-8def-0123456789ab", i));
    assertThat(advice.findings())
        .singleElement()
        .extracting(Finding::rule, Finding::severity)
        .containsExactly(Rule.TIME_UUID_KEY, Severity.ERROR);
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void randomUuidsAreNot(Dialect dialect) {
    assertThat(texts(dialect, i -> UUID.randomUUID().toString()).findings()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void fewValuesBeforeACounterAreSeen(Dialect dialect) {
    Advice advice = texts(dialect, i -> List.of("north", "south").get(i % 2));
    assertThat(advice.findings())
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.rule()).isEqualTo(Rule.FEW_VALUES);
              assertThat(found.what()).contains("2 values in 100 sampled rows");
            });
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void keysThatBeginAlikeAreSeen(Dialect dialect) {
    Advice advice = texts(dialect, i -> "order-" + Integer.toHexString(i * 7919));
    assertThat(advice.findings())
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.rule()).isEqualTo(Rule.COMMON_PREFIX);
              assertThat(found.what()).contains("'order-");
            });
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void whatADatabaseDoesNotMeasureIsNoted(Dialect dialect) {
    assertThat(numbers(dialect, ROWS, i -> Long.reverse(i + 1L)).notes())
        .anyMatch(note -> note.contains("hot splits"))
        .anyMatch(note -> note.contains("lock waits"));
  }
}
