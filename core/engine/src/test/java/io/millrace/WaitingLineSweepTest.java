package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.test.util.RaceTestUtils;

/** The line forgets every subscriber that left. */
class WaitingLineSweepTest {

  /** Enough for a sweep while somebody waits, and for a sweep that takes some time. */
  private static final int DEPARTED = 200;

  private static final int ROUNDS = 2_000;

  private final GeneratorConfig config =
      SequenceGenerator.builder(InMemorySequenceStore.create(), "s")
          .maxWaiters(1_000)
          .acquireTimeout(Duration.ZERO)
          .config();
  private final BufferedSequenceGenerator generator = new BufferedSequenceGenerator(config);
  private final WaitingLine line =
      new WaitingLine(config, generator, new Buffer(config, new BatchSizes(10, 1_000, 0, null)));

  private StandIn enter() {
    StandIn visitor = new StandIn(generator);
    assertThat(line.takePlace(false)).isTrue();
    line.add(visitor);
    return visitor;
  }

  private void leave(StandIn visitor) {
    assertThat(visitor.moveTo(Waiter.WAITING, Waiter.DONE)).isTrue();
    line.depart();
  }

  @Test
  void aSubscriberThatLeavesDuringASweepIsRemovedByTheNext() {
    int leftBehind = 0;
    for (int round = 0; round < ROUNDS; round++) {
      StandIn first = enter();
      List<StandIn> others = new ArrayList<>();
      for (int i = 0; i < DEPARTED; i++) {
        others.add(enter());
      }
      others.forEach(this::leave);
      RaceTestUtils.race(line::removeDeparted, () -> leave(first));
      leftBehind += line.queueLength() > 0 ? 1 : 0;

      line.removeDeparted();
      assertThat(line.queueLength()).as("round %d", round).isZero();
      assertThat(line.size()).isZero();
    }
    assertThat(leftBehind).as("left while the line was swept").isPositive();
  }
}
