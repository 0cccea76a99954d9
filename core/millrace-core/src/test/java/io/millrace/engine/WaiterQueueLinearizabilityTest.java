package io.millrace.engine;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import io.millrace.InlineScheduler;
import io.millrace.Internals;
import io.millrace.SequenceDisposedException;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGeneratorBuilder;
import io.millrace.internal.LogSafe;
import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * Lets subscribers enter and leave a line with one place while it is swept, its subscribers fail or
 * are passed on, its timer runs out and it is closed, in the interleavings that Lincheck chooses.
 * After each, those who wait have the places and are in the queue, and a timer is set for them. The
 * system properties {@code lincheck.scenarios} and {@code lincheck.interleavings} set how many are
 * tried.
 */
public class WaiterQueueLinearizabilityTest {

  private static final BufferedSequenceGenerator GENERATOR =
      new BufferedSequenceGenerator(config(new InlineScheduler()), null);

  private final InlineScheduler scheduler = new InlineScheduler();
  private final GeneratorConfig config = config(scheduler);
  private final WaiterQueue line = new WaiterQueue(config, GENERATOR, new Buffer(config));

  /** One for each number of a thread: 0 before the others begin, then 1 and 2. */
  private final Visitor[] visitors = {new Visitor(), new Visitor(), new Visitor()};

  private boolean closed;

  private static GeneratorConfig config(InlineScheduler scheduler) {
    return Internals.configOf(
        SequenceGenerator.builder(InMemorySequenceStore.create(), "s")
            .maxWaiters(1)
            .acquireTimeout(Duration.ofSeconds(1))
            .scheduler(scheduler));
  }

  /** Enters the line again and again, each time as another subscriber. */
  private static final class Visitor {

    private StandIn latest = new StandIn(GENERATOR);
    private boolean entered;

    boolean waits() {
      return entered && latest.isWaiting();
    }
  }

  @Operation
  public void enter(@Param(gen = ThreadIdGen.class) int thread) {
    Visitor visitor = visitors[thread];
    StandIn next = new StandIn(GENERATOR);
    if (!visitor.waits() && line.takePlace(next)) {
      visitor.latest = next;
      visitor.entered = true;
      line.add(next);
      line.ensureTimer();
    }
  }

  @Operation
  public void leave(@Param(gen = ThreadIdGen.class) int thread) {
    Visitor visitor = visitors[thread];
    if (visitor.entered && visitor.latest.moveTo(Waiter.WAITING, Waiter.DONE)) {
      line.depart(visitor.latest);
    }
  }

  @Operation(nonParallelGroup = "drain loop")
  public void fail() {
    line.fail(() -> new SequenceDisposedException("s"));
  }

  /** What the drain loop does when the generator has retired. */
  @Operation(nonParallelGroup = "drain loop")
  public void passOn() {
    line.passOn();
  }

  @Operation(nonParallelGroup = "drain loop")
  public void removeDeparted() {
    line.removeDeparted();
  }

  @Operation(nonParallelGroup = "drain loop")
  public void close() {
    closed = true;
    line.close();
  }

  @Operation(nonParallelGroup = "timer")
  public void passTime() {
    scheduler.advance(TimeUnit.SECONDS.toNanos(6));
  }

  /** What holds when no operation runs. */
  @Validate
  public void check() {
    int waiting = 0;
    for (Visitor visitor : visitors) {
      waiting += visitor.waits() ? 1 : 0;
    }
    check(waiting <= 1, "more wait than there are places");
    check(line.size() == waiting, line.size() + " places taken, " + waiting + " wait");
    check(line.unmetDemand() == 3L * waiting, "someone who waits is not in the queue");
    int timers = scheduler.timers();
    check(timers <= 1, timers + " timers");
    check(timers == 1 || closed || waiting == 0, "someone waits without a timer");
    check(timers == 0 || !closed, "a timer stays set");
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }

  @Test
  void everyWaiterHasAPlaceAndATimer() {
    new ModelCheckingOptions()
        .threads(2)
        .actorsPerThread(2)
        .actorsBefore(2)
        .actorsAfter(0)
        .addGuarantee(forClasses(LogSafe.class.getName()).allMethods().ignore())
        .addGuarantee(forClasses(SequenceGeneratorBuilder.class.getName()).allMethods().ignore())
        .iterations(Integer.getInteger("lincheck.scenarios", 8))
        .invocationsPerIteration(Integer.getInteger("lincheck.interleavings", 60))
        .check(getClass());
  }
}
