package io.millrace.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.millrace.InlineScheduler;
import io.millrace.Internals;
import io.millrace.Probe;
import io.millrace.SequenceGenerator;
import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** The line alone: its places, and its timer. */
public class WaiterQueueStress {

  private WaiterQueueStress() {}

  /** A line with one place, over an empty buffer. */
  private static final class OnePlace {

    private final InlineScheduler scheduler = new InlineScheduler();
    private final GeneratorConfig config = config(scheduler);

    /** Has a scheduler of its own: its reservations have timers, too. */
    private final BufferedSequenceGenerator generator =
        new BufferedSequenceGenerator(config(new InlineScheduler()), null);

    private final WaiterQueue line = new WaiterQueue(config, generator, new Buffer(config));

    private static GeneratorConfig config(InlineScheduler scheduler) {
      return Internals.configOf(
          SequenceGenerator.builder(InMemorySequenceStore.create(), "s")
              .maxWaiters(1)
              .acquireTimeout(Duration.ofSeconds(1))
              .scheduler(scheduler));
    }

    private StandIn enter() {
      StandIn waiter = new StandIn(generator);
      line.takePlace(waiter);
      line.add(waiter);
      line.ensureTimer();
      return waiter;
    }

    private void leave(StandIn waiter) {
      if (waiter.moveTo(Waiter.WAITING, Waiter.DONE)) {
        line.depart(waiter);
      }
    }
  }

  /** Two ask for the last place. */
  @JCStressTest
  @Outcome(id = "true, false, 1", expect = ACCEPTABLE, desc = "the first has it")
  @Outcome(id = "false, true, 1", expect = ACCEPTABLE, desc = "the second has it")
  @State
  public static class LastPlace {

    private final OnePlace one = new OnePlace();
    private final StandIn first = new StandIn(one.generator);
    private final StandIn second = new StandIn(one.generator);

    @Actor
    public void first(ZZI_Result result) {
      result.r1 = one.line.takePlace(first);
    }

    @Actor
    public void second(ZZI_Result result) {
      result.r2 = one.line.takePlace(second);
    }

    @Arbiter
    public void end(ZZI_Result result) {
      result.r3 = one.line.size();
    }
  }

  /** A subscriber comes when the timer of one that has left runs out. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "one waits, with a timer")
  @Outcome(id = "0, [01]", expect = ACCEPTABLE, desc = "the time of both is up")
  @State
  public static class NewcomerAgainstTimer {

    private final OnePlace one = new OnePlace();

    {
      one.leave(one.enter());
    }

    @Actor
    public void runOut() {
      one.scheduler.advance(TimeUnit.SECONDS.toNanos(6));
    }

    @Actor
    public void enter() {
      one.enter();
    }

    @Arbiter
    public void end(II_Result result) {
      result.r1 = one.line.size();
      result.r2 = one.scheduler.timers();
    }
  }

  /** The line is closed when a subscriber comes. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "no timer stays set")
  @State
  public static class NewcomerAgainstClose {

    private final OnePlace one = new OnePlace();

    @Actor
    public void close() {
      one.line.close();
    }

    @Actor
    public void enter() {
      one.enter();
    }

    @Arbiter
    public void end(II_Result result) {
      result.r1 = one.line.size();
      result.r2 = one.scheduler.timers();
    }
  }

  /** A subscriber that waits requests more, and leaves. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "its demand has left with it")
  @State
  public static class RequestAgainstCancel {

    private final InMemorySequenceStore store = InMemorySequenceStore.create();
    private final SequenceGenerator generator;
    private final Probe probe;

    {
      store.hangNextReservations(1);
      generator =
          SequenceGenerator.builder(store, "s")
              .acquireTimeout(Duration.ZERO)
              .reservationTimeout(Duration.ZERO)
              .scheduler(new InlineScheduler())
              .build();
      probe = Probe.of(generator.values(), 1);
    }

    @Actor
    public void request() {
      probe.request(2);
    }

    @Actor
    public void cancel() {
      probe.cancel();
    }

    @Arbiter
    public void end(II_Result result) {
      result.r1 = generator.snapshot().waiters();
      result.r2 = (int) generator.snapshot().unmetDemand();
    }
  }
}
