package io.millrace.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RealTimeTest {

  private final Requests requests = new Requests();

  private void request(long start, long end, long value) {
    requests.add(start, end, value, 0);
  }

  @Test
  void valuesThatRiseWithTimeAreInOrder() {
    request(10, 20, 1);
    request(21, 30, 2);
    request(31, 40, 3);

    RealTime order = RealTime.of(requests);

    assertThat(order.violations()).isEmpty();
    assertThat(order.pairs()).isEqualTo(3);
  }

  @Test
  void requestsThatOverlapMayGetTheirValuesInEitherOrder() {
    request(10, 30, 2);
    request(20, 40, 1);
    request(30, 50, 3);

    RealTime order = RealTime.of(requests);

    assertThat(order.violations()).isEmpty();
    assertThat(order.pairs()).isZero();
  }

  @Test
  void aSmallerValueThatWasRequestedLaterIsNamed() {
    request(10, 20, 7);
    request(23, 30, 5);

    assertThat(RealTime.of(requests).violations())
        .containsExactly("7 was received 3 ns before the request for 5 was made");
  }

  @Test
  void aSmallerValueIsFoundBehindGreaterOnes() {
    request(10, 20, 9);
    request(12, 22, 1);
    request(14, 24, 2);
    request(30, 40, 5);

    assertThat(RealTime.of(requests).violations())
        .containsExactly("9 was received 10 ns before the request for 5 was made");
  }

  @Test
  void aRequestWhoseEndIsUnknownComesBeforeNoOther() {
    request(10, Long.MAX_VALUE, 9);
    request(20, 30, 1);

    RealTime order = RealTime.of(requests);

    assertThat(order.violations()).isEmpty();
    assertThat(order.pairs()).isZero();
  }

  @Test
  void theSweepFindsWhatAllPairsShow() {
    SplittableRandom random = new SplittableRandom(1);
    int broken = 0;
    for (int round = 0; round < 200; round++) {
      Requests made = new Requests();
      int count = random.nextInt(1, 30);
      for (int i = 0; i < count; i++) {
        long start = random.nextLong(1, 400);
        made.add(start, start + random.nextLong(200), start / 50 + random.nextLong(1, 6), 0);
      }
      RealTime order = RealTime.of(made);
      Pairs pairs = Pairs.of(made);

      assertThat(order.pairs()).isEqualTo(pairs.count());
      assertThat(order.violations().isEmpty()).isEqualTo(pairs.broken() == 0);
      broken += order.violations().isEmpty() ? 0 : 1;
    }
    assertThat(broken).isBetween(20, 180);
  }

  private record Pairs(long count, long broken) {

    static Pairs of(Requests requests) {
      long count = 0;
      long broken = 0;
      for (int a = 0; a < requests.values().size(); a++) {
        for (int b = 0; b < requests.values().size(); b++) {
          if (requests.ends().getLong(a) < requests.starts().getLong(b)) {
            count++;
            broken += requests.values().getLong(a) < requests.values().getLong(b) ? 0 : 1;
          }
        }
      }
      return new Pairs(count, broken);
    }
  }
}
