package io.millrace.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What turns, prefixes and buckets keys gives what the server's own functions give. */
abstract class ShapeAgreement extends ServerComparison {

  private static final int RANDOM = 1_000;
  private static final long SEED = 19_700_101;

  @Test
  void reversedStrings() {
    List<String> texts = Inputs.strings();
    assertThat(texts)
        .filteredOn(text -> text.codePoints().anyMatch(Character::isSupplementaryCodePoint))
        .hasSizeGreaterThanOrEqualTo(500);
    assertAgreement(strings(texts), "REVERSE(x)", ReversedString.BY_CODE_POINT);
  }

  @ParameterizedTest
  @ValueSource(ints = {6, 12, 19})
  void reversedDecimals(int width) {
    long max = new FixedDecimal(width).max();
    List<Long> numbers = new ArrayList<>(List.of(0L, 1L, 10L, max, max - 1));
    new Random(SEED).longs(RANDOM, 0, max).forEach(numbers::add);
    assertAgreement(
        longs(numbers),
        byDialect(
            "REVERSE(LPAD(CAST(x AS STRING), " + width + ", '0'))",
            "reverse(lpad(CAST(x AS varchar), " + width + ", '0'))"),
        ReversedDecimal.ofWidth(width));
  }

  @Test
  void prefixesOfSha256() {
    List<String> texts = Inputs.strings();
    String expression = byDialect("SHA256(x)", "sha256(CAST(x AS bytea))");
    List<Object> theirs = evaluate(strings(texts), expression);
    HashPrefix codec = HashPrefix.of(KeyHash.SHA_256, 8).separator("-");
    assertAgreement(
        expression,
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
        .hasSizeGreaterThanOrEqualTo(200);
    for (ChronoUnit unit : List.of(ChronoUnit.SECONDS, ChronoUnit.MILLIS, ChronoUnit.MICROS)) {
      assertAgreement(
          instants(times),
          "MOD(MOD(%1$s, %2$d) + %2$d, %2$d)".formatted(unixTime(unit), count),
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
        evaluate(longs(places), byDialect("GENERATE_UUID()", "spanner.generate_uuid()"));
    assertThat(theirs)
        .hasSize(1_000)
        .allSatisfy(
            text -> {
              UUID uuid = UuidLayout.STRING.decode((String) text);
              assertThat(uuid.version()).isEqualTo(4);
              assertThat(UuidLayout.STRING.apply(uuid)).isEqualTo(text);
            });
  }
}
