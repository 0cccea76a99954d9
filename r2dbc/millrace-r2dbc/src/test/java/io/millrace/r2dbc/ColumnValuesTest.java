package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.Temporal;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ColumnValuesTest {

  private static void assertSame(@Nullable Object sent, @Nullable Object found, boolean same) {
    assertThat(ColumnValues.isSame(sent, found)).isEqualTo(same);
    assertThat(ColumnValues.isSame(found, sent)).isEqualTo(same);
  }

  @Test
  void nullIsTheSameOnlyAsNull() {
    assertSame(null, null, true);
    assertSame(null, "", false);
  }

  @Test
  void numbersAreComparedByValue() {
    assertSame(new BigDecimal("1.50"), new BigDecimal("1.5"), true);
    assertSame(new BigDecimal("1E2"), new BigDecimal("100.00"), true);
    assertSame(new BigDecimal("1.50"), new BigDecimal("1.51"), false);
    assertSame(7, 7L, true);
    assertSame(100, new BigDecimal("1E2"), true);
    assertSame(7, 8L, false);
    assertSame(0.1, 0.1, true);
    assertSame(0.1, 0.2, false);
  }

  @Test
  void bytesAndArraysAreComparedByContent() {
    assertSame(new byte[] {1, 2}, new byte[] {1, 2}, true);
    assertSame(new byte[] {1, 2}, ByteBuffer.wrap(new byte[] {1, 2}), true);
    assertSame(new byte[] {1, 2}, new byte[] {1, 3}, false);
    assertSame(new Long[] {1L}, new Long[] {1L}, true);
    assertSame(new Long[] {1L}, new Long[] {2L}, false);
  }

  static Stream<Temporal> times() {
    Instant time = Instant.parse("2026-01-02T03:04:05.123456700Z");
    return Stream.of(
        time,
        LocalDateTime.ofInstant(time, ZoneOffset.UTC),
        time.atOffset(ZoneOffset.ofHours(2)),
        time.atZone(ZoneOffset.ofHours(2)),
        LocalTime.of(3, 4, 5, 123_456_700),
        OffsetTime.of(3, 4, 5, 123_456_700, ZoneOffset.ofHours(2)));
  }

  @ParameterizedTest
  @MethodSource("times")
  void timesAreComparedToTheMicrosecond(Temporal time) {
    assertSame(time, time.plus(300, java.time.temporal.ChronoUnit.NANOS), true);
    assertSame(time, time.minus(700, java.time.temporal.ChronoUnit.NANOS), true);
    assertSame(time, time.plus(1_000, java.time.temporal.ChronoUnit.NANOS), false);
    assertSame(time, time.plus(1, java.time.temporal.ChronoUnit.HOURS), false);
  }

  @Test
  void aMomentIsTheSameInAnotherZone() {
    OffsetDateTime time = OffsetDateTime.parse("2026-01-02T03:04:05+02:00");
    assertSame(time, time.withOffsetSameInstant(ZoneOffset.UTC), true);
    assertSame(time, ZonedDateTime.from(time).withZoneSameInstant(ZoneOffset.UTC), true);
    assertSame(LocalDate.EPOCH, LocalDate.EPOCH, true);
    assertSame(LocalDate.EPOCH, LocalDate.EPOCH.plusDays(1), false);
    assertSame(Instant.MIN, Instant.MAX, false);
  }
}
