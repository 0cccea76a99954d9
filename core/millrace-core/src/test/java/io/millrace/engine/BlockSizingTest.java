package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.test.scheduler.VirtualTimeScheduler;

/** The arithmetic of sizes that follow the use. */
class BlockSizingTest {

  private static final long MILLION = 1_000_000;

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();

  private long issued;
  private long unmet;

  private BlockSizing sizing(long min, long max, Duration target) {
    return new BlockSizing(new BlockSizes(min, max, 0, target), time);
  }

  /** A reservation that takes no time, during which so many are issued. */
  private void reservation(BlockSizing sizing, long used) {
    sizing.begin(issued, unmet, 0);
    issued += used;
    sizing.end(issued, unmet);
  }

  @Test
  void theWatermarkIsTwiceWhatWasUsedDuringAReservationAnd2More() {
    BlockSizing sizing = sizing(10, MILLION, Duration.ofSeconds(1));
    assertThat(sizing.lowWatermark()).isEqualTo(2);
    assertThat(sizing.blockSize()).isEqualTo(10);
    reservation(sizing, 100);
    assertThat(sizing.lowWatermark()).isEqualTo(202);
    reservation(sizing, 3);
    assertThat(sizing.lowWatermark()).as("the most counts").isEqualTo(202);
  }

  @Test
  void theWatermarkFallsByHalfIn2Minutes() {
    BlockSizing sizing = sizing(10, MILLION, Duration.ofSeconds(7));
    reservation(sizing, 1_000);
    time.advanceTimeBy(Duration.ofMinutes(2));
    sizing.begin(issued, unmet, 0);
    assertThat(sizing.lowWatermark()).isEqualTo(1_002);
  }

  @Test
  void halvesTheWatermarkIn16LongTargets() {
    BlockSizing sizing = sizing(10, MILLION, Duration.ofMinutes(1));
    reservation(sizing, 1_000);
    time.advanceTimeBy(Duration.ofMinutes(16));
    sizing.begin(issued, unmet, 0);
    assertThat(sizing.lowWatermark()).isEqualTo(1_002);
  }

  @Test
  void blockAndWatermarkAreWhatWasAskedForInTheTarget() {
    BlockSizing sizing = sizing(10, MILLION, Duration.ofSeconds(10));
    for (int i = 0; i < 100; i++) {
      time.advanceTimeBy(Duration.ofSeconds(1));
      reservation(sizing, 5);
      issued += 495;
    }
    time.advanceTimeBy(Duration.ofSeconds(1));
    sizing.begin(issued, unmet, 0);
    assertThat(sizing.lowWatermark()).isEqualTo(12);
    assertThat(sizing.blockSize() + sizing.lowWatermark()).isBetween(4_998L, 5_002L);
  }

  @Test
  void spreadsUseBetweenTwoReservationsEvenly() {
    BlockSizing sizing = sizing(3, MILLION, Duration.ofSeconds(10));
    issued += 36_000;
    time.advanceTimeBy(Duration.ofHours(1));
    sizing.begin(issued, unmet, 0);
    assertThat(sizing.blockSize() + sizing.lowWatermark()).as("10 a second").isEqualTo(100);
  }

  @Test
  void theUseOfANewGeneratorIsRecent() {
    time.advanceTimeBy(Duration.ofHours(1));
    BlockSizing sizing = sizing(3, MILLION, Duration.ofSeconds(10));
    issued += 500;
    sizing.begin(issued, unmet, 0);
    assertThat(sizing.blockSize() + sizing.lowWatermark()).isEqualTo(500);
  }

  @Test
  void countsUnmetDemandAsUse() {
    BlockSizing sizing = sizing(10, MILLION, Duration.ofSeconds(10));
    sizing.begin(issued, unmet, 0);
    unmet = 50;
    sizing.end(issued, unmet);
    assertThat(sizing.lowWatermark()).isEqualTo(102);
    issued = 50;
    unmet = 0;
    reservation(sizing, 0);
    sizing.begin(issued, unmet, 0);
    assertThat(sizing.blockSize() + sizing.lowWatermark()).as("once").isEqualTo(2 * 102 + 1);
  }

  @Test
  void forgetsTheDemandOfSubscribersThatLeft() {
    BlockSizing sizing = sizing(10, MILLION, Duration.ofSeconds(1));
    unmet = 10_000;
    sizing.begin(issued, unmet, 0);
    unmet = 0;
    sizing.end(issued, unmet);
    assertThat(sizing.lowWatermark()).isEqualTo(2);
    assertThat(sizing.blockSize()).as("they count once").isEqualTo(10_000 - 2);
    reservation(sizing, 20);
    assertThat(sizing.lowWatermark()).isEqualTo(42);
    assertThat(sizing.blockSize()).isEqualTo(10_020 - 42);
  }

  @Test
  void unboundedDemandDoesNotRaiseTheWatermark() {
    BlockSizing sizing = sizing(10, MILLION, Duration.ofSeconds(1));
    issued += 500;
    unmet = Long.MAX_VALUE;
    sizing.begin(issued, unmet, 0);
    assertThat(sizing.blockSize()).as("grows").isBetween(500L, 512L);
    sizing.end(issued, unmet);
    assertThat(sizing.lowWatermark()).isEqualTo(2);
    assertThat(sizing.blockSize()).as("and counts once").isBetween(500L, 512L);
  }

  @Test
  void capsUseAtTheLargestSizes() {
    BlockSizing sizing = sizing(10, 100_000, Duration.ofSeconds(1));
    reservation(sizing, 10_000_000);
    assertThat(sizing.blockSize()).isEqualTo(100_000);
    assertThat(sizing.lowWatermark()).isEqualTo(99_999);
    time.advanceTimeBy(Duration.ofMinutes(2));
    sizing.begin(issued, unmet, 0);
    assertThat(sizing.lowWatermark()).as("after a half-life").isEqualTo(50_002);
  }

  @Test
  void capsUseAtTheLargestLevel() {
    BlockSizing sizing = sizing(10, 1_000, Duration.ofSeconds(1));
    issued += 1_000_000_000;
    sizing.begin(issued, unmet, 0);
    assertThat(sizing.blockSize()).isEqualTo(1_000);
    time.advanceTimeBy(Duration.ofSeconds(3));
    sizing.begin(issued, unmet, 0);
    assertThat(sizing.blockSize() + sizing.lowWatermark()).as("2000 / e^3").isEqualTo(100);
  }

  @Test
  void sizesAReservationByBlockWaitersAndWatermark() {
    BlockSizing sizing = sizing(10, 1_000, Duration.ofMillis(1));
    reservation(sizing, 20);
    assertThat(sizing.lowWatermark()).isEqualTo(42);
    assertThat(sizing.blockSize()).isEqualTo(43);
    assertThat(sizing.reservation(0, 42)).isEqualTo(43);
    assertThat(sizing.reservation(0, 60)).isEqualTo(43);
    assertThat(sizing.reservation(0, 40)).isEqualTo(45);
    assertThat(sizing.reservation(7, 0)).isEqualTo(43 + 42 + 7);
    assertThat(sizing.reservation(990, 0)).isEqualTo(1_000);
    assertThat(sizing.reservation(Long.MAX_VALUE - 1, 0)).isEqualTo(1_000);
    assertThat(sizing.reservation(Long.MAX_VALUE, 0)).as("without bound").isEqualTo(2 * (43 + 42));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void keepsSizesWithinTheirBounds(long seed) {
    Random random = new Random(seed);
    long min = 3 + random.nextInt(1_000);
    long max = min + (long) Math.pow(2, 40 * random.nextDouble()) - 1;
    BlockSizing sizing = sizing(min, max, Duration.ofMillis(1 + random.nextInt(100_000)));
    long grown = 0;
    for (int i = 0; i < 10_000; i++) {
      if (random.nextBoolean()) {
        time.advanceTimeBy(Duration.ofNanos((long) Math.pow(10, 13 * random.nextDouble())));
      }
      issued += (long) Math.pow(10, 10 * random.nextDouble()) - random.nextInt(2);
      unmet =
          random.nextInt(20) == 0
              ? Long.MAX_VALUE - random.nextInt(2)
              : (long) Math.pow(10, 7 * random.nextDouble()) - 1;
      if (random.nextBoolean()) {
        sizing.begin(issued, unmet, 0);
      } else {
        sizing.end(issued, unmet);
      }
      assertThat(sizing.blockSize()).isBetween(min, max);
      assertThat(sizing.lowWatermark()).isBetween(Math.min(2, max - 1), sizing.blockSize() - 1);
      assertThat(sizing.reservation(unmet, random.nextInt(1_000)))
          .isBetween(sizing.blockSize(), max);
      grown += sizing.blockSize() > min ? 1 : 0;
    }
    assertThat(grown).isGreaterThan(max == min ? -1 : 100);
  }
}
