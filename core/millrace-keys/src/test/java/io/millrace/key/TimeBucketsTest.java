package io.millrace.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

class TimeBucketsTest {

  private static final BigInteger SECOND = BigInteger.valueOf(1_000_000_000);

  @Property
  void theBucketIsTheTimeInStepsRoundedDownModuloTheCount(
      @ForAll @LongRange(min = -31_557_014_167_219_200L, max = 31_556_889_864_403_199L) long second,
      @ForAll @IntRange(max = 999_999_999) int nano,
      @ForAll @LongRange(min = 1, max = 1L << 31) long count,
      @ForAll @IntRange(max = STEPS - 1) int stepIndex) {
    Instant time = Instant.ofEpochSecond(second, nano);
    Duration step = step(stepIndex);
    BigInteger[] steps =
        nanos(second, nano).divideAndRemainder(nanos(step.getSeconds(), step.getNano()));
    BigInteger floor = steps[1].signum() < 0 ? steps[0].subtract(BigInteger.ONE) : steps[0];
    assertThat(TimeBuckets.of(count, step).apply(time))
        .isEqualTo(floor.mod(BigInteger.valueOf(count)).longValue());
  }

  private static final int STEPS = 11;

  private static Duration step(int index) {
    return index < 7
        ? ChronoUnit.values()[index].getDuration()
        : new Duration[] {
              Duration.ofMillis(250),
              Duration.ofSeconds(90),
              Duration.ofDays(7),
              Duration.ofNanos(8)
            }
            [index - 7];
  }

  private static BigInteger nanos(long seconds, int nanos) {
    return BigInteger.valueOf(seconds).multiply(SECOND).add(BigInteger.valueOf(nanos));
  }

  @Property
  void aNumberIsATimeAlreadyCounted(
      @ForAll @LongRange(min = -9_000_000_000_000L, max = 9_000_000_000_000L) long millis,
      @ForAll @LongRange(min = 1, max = 1L << 31) long count) {
    TimeBuckets buckets = TimeBuckets.of(count, ChronoUnit.MILLIS);
    assertThat(buckets.bucketOf(millis)).isEqualTo(buckets.apply(Instant.ofEpochMilli(millis)));
  }

  @Test
  void tellsItsBucketsAndItsStep() {
    TimeBuckets buckets = TimeBuckets.of(3, ChronoUnit.SECONDS);
    assertThat(buckets.count()).isEqualTo(3);
    assertThat(buckets.values()).containsExactly(0L, 1L, 2L);
    assertThat(buckets).hasToString("TimeBuckets[count=3, step=PT1S]");
  }

  @Test
  void timesBefore1970GoOnDownwards() {
    TimeBuckets buckets = TimeBuckets.of(10, ChronoUnit.SECONDS);
    assertThat(buckets.apply(Instant.ofEpochSecond(12))).isEqualTo(2);
    assertThat(buckets.apply(Instant.ofEpochSecond(0))).isZero();
    assertThat(buckets.apply(Instant.ofEpochSecond(-1, 500_000_000))).isEqualTo(9);
    assertThat(buckets.apply(Instant.ofEpochSecond(-1))).isEqualTo(9);
    assertThat(buckets.apply(Instant.ofEpochSecond(-2, 999_999_999))).isEqualTo(8);
    assertThat(buckets.bucketOf(-1)).isEqualTo(9);
  }

  @ParameterizedTest
  @EnumSource(names = {"NANOS", "MICROS", "MILLIS", "SECONDS", "MINUTES", "HOURS", "DAYS"})
  void timesOneAfterTheOtherFillAllBucketsAlike(ChronoUnit unit) {
    TimeBuckets buckets = TimeBuckets.of(16, unit);
    Instant start = Instant.parse("1969-12-31T22:00:00Z");
    long[] counts = new long[16];
    IntStream.range(0, 5_003)
        .forEach(
            i ->
                counts[buckets.apply(start.plus(unit.getDuration().multipliedBy(i))).intValue()]++);
    ChiSquare.assertUniform(counts);
  }

  @Test
  void aStepStaysInOneBucket() {
    TimeBuckets buckets = TimeBuckets.of(7, Duration.ofSeconds(90));
    Flux.range(0, 90)
        .map(second -> buckets.apply(Instant.ofEpochSecond(-180 + second, 999_999_999)))
        .distinct()
        .as(StepVerifier::create)
        .expectNext(5L)
        .verifyComplete();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, (1L << 31) + 1})
  void aCountOutOfRangeIsRefused(long count) {
    assertThatThrownBy(() -> TimeBuckets.of(count, ChronoUnit.SECONDS))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage("buckets must be from 1 to 2147483648, was " + count);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT-1S", "PT1.5S", "PT0.3S", "PT-0.5S"})
  void aStepThatDoesNotFitTheSecondIsRefused(String step) {
    assertThatThrownBy(() -> TimeBuckets.of(2, Duration.parse(step)))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage("step must be whole seconds, or divide a second, was " + Duration.parse(step));
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"NANOS", "MICROS", "MILLIS", "SECONDS", "MINUTES", "HOURS", "HALF_DAYS", "DAYS"})
  void aUnitWithoutAFixedLengthIsRefused(ChronoUnit unit) {
    assertThatThrownBy(() -> TimeBuckets.of(2, unit))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage("unit must be from Nanos to Days, was " + unit);
  }
}
