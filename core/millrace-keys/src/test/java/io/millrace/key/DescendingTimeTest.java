package io.millrace.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DescendingTimeTest {

  private static final long LATEST = Long.MAX_VALUE - 1_000_000_000_000_000_000L;

  @Property
  void everyTimeOfTheRangeIsDecoded(
      @ForAll DescendingTime encoding, @ForAll @LongRange(min = 0, max = LATEST) long units) {
    Instant time = encoding.decode(Long.MAX_VALUE - units);
    assertThat(encoding.apply(time)).isEqualTo(Long.MAX_VALUE - units);
  }

  @Property
  void theTimeIsCountedInTheUnit(
      @ForAll DescendingTime encoding,
      @ForAll @LongRange(min = 0, max = 4_102_444_800L) long unit) {
    Instant time = Instant.EPOCH.plus(unit, ChronoUnit.valueOf(encoding.name()));
    assertThat(encoding.apply(time)).isEqualTo(Long.MAX_VALUE - unit);
    assertThat(encoding.decode(Long.MAX_VALUE - unit)).isEqualTo(time);
  }

  @Property
  void theLaterTimeSortsFirstAsNumberAsTextAndAsBytes(
      @ForAll DescendingTime encoding,
      @ForAll @LongRange(min = 0, max = LATEST) long one,
      @ForAll @LongRange(min = 0, max = LATEST) long other) {
    Assume.that(one < other);
    Instant earlier = encoding.decode(Long.MAX_VALUE - one);
    Instant later = encoding.decode(Long.MAX_VALUE - other);
    assertThat(earlier).isBefore(later);
    long first = encoding.apply(later);
    long second = encoding.apply(earlier);
    assertThat(first).isLessThan(second);
    assertThat(Long.toString(first)).hasSize(19).isLessThan(Long.toString(second));
    assertThat(Arrays.compareUnsigned(bytes(first), bytes(second))).isNegative();
  }

  private static byte[] bytes(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
  }

  @ParameterizedTest
  @EnumSource
  void theRangeBeginsIn1970AndEndsWhereTheTextWouldShrink(DescendingTime encoding) {
    assertThat(encoding.apply(Instant.EPOCH)).isEqualTo(Long.MAX_VALUE);
    Instant latest = encoding.decode(1_000_000_000_000_000_000L);
    assertThat(encoding.apply(latest)).isEqualTo(1_000_000_000_000_000_000L);
    for (Instant refused :
        new Instant[] {
          latest.plusNanos(1), Instant.MAX, Instant.EPOCH.minusNanos(1), Instant.MIN
        }) {
      assertThatThrownBy(() -> encoding.apply(refused))
          .isExactlyInstanceOf(KeyFormatException.class)
          .hasMessage("time must be from " + Instant.EPOCH + " to " + latest + ", was " + refused);
    }
  }

  @Test
  void theLastTimesAreThoseThatTheDocumentationNames() {
    long value = 1_000_000_000_000_000_000L;
    assertThat(DescendingTime.NANOS.decode(value)).isEqualTo("2230-08-03T22:00:36.854775807Z");
    assertThat(DescendingTime.MICROS.decode(value)).isEqualTo("+262558-04-15T02:14:14.775807Z");
    assertThat(DescendingTime.MILLIS.decode(value)).isEqualTo("+260590256-02-14T05:26:15.807Z");
  }

  @ParameterizedTest
  @ValueSource(longs = {999_999_999_999_999_999L, 0, -1, Long.MIN_VALUE})
  void aNumberThatNoTimeGivesIsRefused(long value) {
    assertThatThrownBy(() -> DescendingTime.MICROS.decode(value))
        .isExactlyInstanceOf(KeyFormatException.class)
        .hasMessage("value must be from 1000000000000000000 to 9223372036854775807, was " + value);
  }

  @Test
  void aTimeFinerThanTheUnitIsRefused() {
    Instant fine = Instant.parse("2024-02-29T12:00:00.123456789Z");
    assertThat(DescendingTime.NANOS.decode(DescendingTime.NANOS.apply(fine))).isEqualTo(fine);
    assertThatThrownBy(() -> DescendingTime.MICROS.apply(fine))
        .isExactlyInstanceOf(KeyFormatException.class)
        .hasMessage(
            "time must be whole MICROS, was 2024-02-29T12:00:00.123456789Z;"
                + " MICROS.truncating() cuts it off");
    assertThatThrownBy(() -> DescendingTime.MILLIS.apply(fine.truncatedTo(ChronoUnit.MICROS)))
        .isExactlyInstanceOf(KeyFormatException.class)
        .hasMessage(
            "time must be whole MILLIS, was 2024-02-29T12:00:00.123456Z;"
                + " MILLIS.truncating() cuts it off");
  }

  /** On Linux the clock counts nanoseconds, or nearly. */
  @ParameterizedTest
  @EnumSource
  void theTimeOfTheClockIsCutOffWhereThatIsAskedFor(DescendingTime encoding) {
    KeyFunction<Instant, Long> truncating = encoding.truncating();
    for (Instant time :
        new Instant[] {
          Instant.now(),
          Instant.parse("2024-02-29T12:00:00.123456789Z"),
          Instant.EPOCH.plusNanos(1),
          encoding
              .decode(1_000_000_000_000_000_000L)
              .plusNanos(encoding == DescendingTime.NANOS ? 0 : 999)
        }) {
      Instant cut = time.truncatedTo(ChronoUnit.valueOf(encoding.name()));
      assertThat(truncating.apply(time)).isEqualTo(encoding.apply(cut));
      assertThat(encoding.decode(truncating.apply(time))).isEqualTo(cut);
    }
    for (Instant refused : new Instant[] {Instant.MIN, Instant.EPOCH.minusNanos(1), Instant.MAX}) {
      assertThatThrownBy(() -> truncating.apply(refused))
          .isExactlyInstanceOf(KeyFormatException.class)
          .hasMessageStartingWith("time must be from " + Instant.EPOCH);
    }
  }

  @Property
  void theLaterTimeNeverSortsBehindTheEarlierWhenCutOff(
      @ForAll DescendingTime encoding,
      @ForAll @LongRange(min = 0, max = 4_102_444_800_000_000_000L) long one,
      @ForAll @LongRange(min = 0, max = 4_102_444_800_000_000_000L) long other) {
    Instant earlier = Instant.EPOCH.plusNanos(Math.min(one, other));
    Instant later = Instant.EPOCH.plusNanos(Math.max(one, other));
    assertThat(encoding.truncating().apply(later))
        .isLessThanOrEqualTo(encoding.truncating().apply(earlier));
  }
}
