package io.millrace.key;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.Timestamp;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.Statement;
import com.google.cloud.spanner.Type;
import com.google.cloud.spanner.Value;
import io.millrace.emulator.EmulatorDatabase;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What turns, prefixes and buckets keys gives what the server's own functions give. */
abstract class ShapeAgreement {

  private static final int RANDOM = 1_500;
  private static final long SEED = 19_700_101;

  private EmulatorDatabase database;

  @BeforeEach
  void connect(EmulatorDatabase created) {
    database = created;
  }

  String byDialect(String googleSql, String postgreSql) {
    return database.dialect() == Dialect.POSTGRESQL ? postgreSql : googleSql;
  }

  @Test
  void reversedStrings() {
    List<String> texts = Inputs.stringsWithoutTheEmptyOne();
    assertThat(texts)
        .filteredOn(text -> text.codePoints().anyMatch(Character::isSupplementaryCodePoint))
        .hasSizeGreaterThanOrEqualTo(1_000);
    assertAgreement("REVERSE(x)", texts, Value.stringArray(texts), ReversedString.BY_CODE_POINT);
  }

  @ParameterizedTest
  @ValueSource(ints = {6, 12, 19})
  void reversedDecimals(int width) {
    long max = new FixedDecimal(width).max();
    List<Long> numbers = new ArrayList<>(List.of(0L, 1L, 10L, max, max - 1));
    new Random(SEED).longs(RANDOM, 0, max).forEach(numbers::add);
    assertAgreement(
        byDialect(
            "REVERSE(LPAD(CAST(x AS STRING), " + width + ", '0'))",
            "reverse(lpad(CAST(x AS varchar), " + width + ", '0'))"),
        numbers,
        Value.int64Array(numbers),
        ReversedDecimal.ofWidth(width));
  }

  @Test
  void prefixesOfSha256() {
    List<String> texts = Inputs.stringsWithoutTheEmptyOne();
    List<Object> theirs =
        evaluate(byDialect("SHA256(x)", "sha256(CAST(x AS bytea))"), Value.stringArray(texts));
    HashPrefix codec = HashPrefix.of(KeyHash.SHA_256, 8).separator("-");
    assertEqual(
        texts,
        theirs.stream().map(digest -> ((String) digest).substring(0, 8)).toList(),
        codec::prefix);
  }

  @ParameterizedTest
  @ValueSource(longs = {7, 2_147_483_648L})
  void timeBuckets(long count) {
    List<Instant> times =
        Inputs.instants().stream().map(time -> time.truncatedTo(ChronoUnit.MICROS)).toList();
    assertThat(times)
        .filteredOn(time -> time.isBefore(Instant.EPOCH) && time.getNano() % 1_000_000 != 0)
        .hasSizeGreaterThanOrEqualTo(300);
    Value parameter =
        Value.timestampArray(
            times.stream()
                .map(time -> Timestamp.ofTimeSecondsAndNanos(time.getEpochSecond(), time.getNano()))
                .toList());
    for (ChronoUnit unit : List.of(ChronoUnit.SECONDS, ChronoUnit.MILLIS, ChronoUnit.MICROS)) {
      assertAgreement(
          "MOD(MOD(%1$s, %2$d) + %2$d, %2$d)".formatted(unixTime(unit), count),
          times,
          parameter,
          TimeBuckets.of(count, unit));
    }
  }

  private String unixTime(ChronoUnit unit) {
    long perSecond = ChronoUnit.SECONDS.getDuration().dividedBy(unit.getDuration());
    return byDialect(
        "UNIX_" + unit.name() + "(x)",
        "CAST(floor(extract(epoch from x) * " + perSecond + ") AS bigint)");
  }

  @Test
  void theServersUuidsAreOfVersion4() {
    List<Long> places = Stream.iterate(0L, place -> place + 1).limit(1_000).toList();
    List<Object> theirs =
        evaluate(byDialect("GENERATE_UUID()", "spanner.generate_uuid()"), Value.int64Array(places));
    assertThat(theirs)
        .hasSize(1_000)
        .allSatisfy(
            text -> {
              UUID uuid = UuidLayout.STRING.decode((String) text);
              assertThat(uuid.version()).isEqualTo(4);
              assertThat(UuidLayout.STRING.apply(uuid)).isEqualTo(text);
            });
  }

  /** Compares what the server gives for {@code x}, each of the inputs, with what we give. */
  <T> void assertAgreement(
      String expression, List<T> inputs, Value parameter, KeyFunction<? super T, ?> ours) {
    assertEqual(inputs, evaluate(expression, parameter), ours);
  }

  <T> void assertEqual(List<T> inputs, List<?> theirs, Function<? super T, ?> ours) {
    assertThat(theirs).hasSize(inputs.size()).hasSizeGreaterThanOrEqualTo(1_000);
    for (int i = 0; i < theirs.size(); i++) {
      T input = inputs.get(i);
      Object own = ours.apply(input);
      assertThat(own).as("%s of input %d, %s", ours, i, input).isEqualTo(theirs.get(i));
    }
  }

  private List<Object> evaluate(String expression, Value array) {
    Statement query =
        Statement.newBuilder(
                "SELECT %s FROM %s ORDER BY place"
                    .formatted(
                        expression,
                        byDialect(
                            "UNNEST(@p1) AS x WITH OFFSET AS place",
                            "unnest($1) WITH ORDINALITY AS inputs(x, place)")))
            .bind("p1")
            .to(array)
            .build();
    List<Object> results = new ArrayList<>();
    try (ResultSet rows = database.client().singleUse().executeQuery(query)) {
      while (rows.next()) {
        results.add(value(rows));
      }
    }
    return results;
  }

  /** A number, a text, or the hexadecimal digits of bytes. */
  private static Object value(ResultSet row) {
    Type.Code type = row.getColumnType(0).getCode();
    return switch (type) {
      case INT64 -> row.getLong(0);
      case BYTES -> HexFormat.of().formatHex(row.getBytes(0).toByteArray());
      default -> row.getString(0);
    };
  }
}
