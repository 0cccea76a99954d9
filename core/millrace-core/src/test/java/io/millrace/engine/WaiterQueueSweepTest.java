package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Internals;
import io.millrace.SequenceGenerator;
import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import reactor.core.scheduler.Schedulers;
import reactor.test.util.RaceTestUtils;

/** The line forgets every subscriber that left. */
class WaiterQueueSweepTest {

  /** Enough for a sweep while somebody waits, and for a sweep that takes some time. */
  private static final int DEPARTED = 200;

  /** More, until one has left while the line was swept. */
  private static final int ROUNDS = 2_000;

  private final GeneratorConfig config =
      Internals.configOf(
          SequenceGenerator.builder(InMemorySequenceStore.create(), "s")
              .maxWaiters(1_000)
              .acquireTimeout(Duration.ZERO));
  private final BufferedSequenceGenerator generator = new BufferedSequenceGenerator(config, null);
  private final WaiterQueue line = new WaiterQueue(config, generator, new Buffer(config));

  private StandIn enter() {
    StandIn visitor = new StandIn(generator);
    assertThat(line.takePlace(visitor)).isTrue();
    line.add(visitor);
    return visitor;
  }

  private void leave(StandIn visitor) {
    assertThat(visitor.moveTo(Waiter.WAITING, Waiter.DONE)).isTrue();
    line.depart(visitor);
  }

  @Test
  void aSubscriberThatLeavesDuringASweepIsRemovedByTheNext() {
    int leftBehind = 0;
    AtomicLong sweepEnded = new AtomicLong();
    AtomicLong leaveBegan = new AtomicLong();
    for (int round = 0; round < ROUNDS || leftBehind == 0; round++) {
      StandIn first = enter();
      List<StandIn> others = new ArrayList<>();
      for (int i = 0; i < DEPARTED; i++) {
        others.add(enter());
      }
      others.forEach(this::leave);
      RaceTestUtils.race(
          60,
          Schedulers.boundedElastic(),
          () -> {
            line.removeDeparted();
            sweepEnded.set(System.nanoTime());
          },
          () -> {
            leaveBegan.set(System.nanoTime());
            leave(first);
          });
      boolean during = leaveBegan.get() - sweepEnded.get() < 0;
      leftBehind += during && line.queueLength() > 0 ? 1 : 0;

      line.removeDeparted();
      assertThat(line.queueLength()).as("round %d", round).isZero();
      assertThat(line.size()).isZero();
    }
  }
}
