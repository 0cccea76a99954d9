package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.InlineScheduler;
import io.millrace.Internals;
import io.millrace.SequenceGenerator;
import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

/** What {@link WaiterQueueLinearizabilityTest} finds by chance, in one fixed order. */
class WaiterQueueTimerTest {

  /** Its first timer runs out while it is set. Another subscriber has come before that. */
  private static final class Hasty extends InlineScheduler {

    private Runnable whileSet = () -> {};
    private boolean hasRun;

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
      Disposable scheduled = super.schedule(task, delay, unit);
      if (!hasRun) {
        hasRun = true;
        whileSet.run();
        advance(unit.toNanos(delay));
      }
      return scheduled;
    }
  }

  private static GeneratorConfig config(InlineScheduler scheduler) {
    return Internals.configOf(
        SequenceGenerator.builder(InMemorySequenceStore.create(), "s")
            .acquireTimeout(Duration.ofSeconds(1))
            .scheduler(scheduler));
  }

  @Test
  void cancelsTheTimerThatFollowsAnEarlyOne() {
    Hasty scheduler = new Hasty();
    BufferedSequenceGenerator generator =
        new BufferedSequenceGenerator(config(new InlineScheduler()), null);
    GeneratorConfig config = config(scheduler);
    WaiterQueue line = new WaiterQueue(config, generator, new Buffer(config));

    StandIn later = new StandIn(generator);
    scheduler.whileSet =
        () -> {
          later.moveTo(Waiter.WAITING, Waiter.RUNNING);
          later.startWaiting(1);
          line.takePlace(later);
          line.add(later);
        };
    StandIn first = new StandIn(generator);
    assertThat(line.takePlace(first)).isTrue();
    line.add(first);
    line.ensureTimer();
    assertThat(scheduler.timers()).as("one more, because someone waits").isEqualTo(1);
    line.close();
    assertThat(scheduler.timers()).isZero();
  }
}
