package io.millrace.engine;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import io.millrace.InlineScheduler;
import io.millrace.internal.ShownText;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * Lets requests enter, end and withdraw in two threads, in the interleavings that Lincheck chooses.
 * After each, every permit is free or taken by a request that runs, and nobody waits beside a free
 * permit. For the system properties, see {@link LiveBlockLinearizabilityTest}.
 */
@Param(name = "request", gen = IntGen.class, conf = "0:1")
public class ReservationBulkheadLinearizabilityTest {

  private static final int REQUESTS = 2;

  private final ReservationBulkhead bulkhead = new ReservationBulkhead(1);
  private final Request[] requests = new Request[REQUESTS];

  /** Creates the requests. */
  public ReservationBulkheadLinearizabilityTest() {
    for (int i = 0; i < REQUESTS; i++) {
      requests[i] = new Request(bulkhead);
    }
  }

  private static final class Request {

    private final Admission admission;
    private final AtomicInteger entries = new AtomicInteger();
    private final AtomicInteger runs = new AtomicInteger();
    private volatile boolean ended;

    Request(Bulkhead bulkhead) {
      admission =
          new Admission(bulkhead, new InlineScheduler(), admitted -> runs.incrementAndGet());
    }

    boolean isRunning() {
      return runs.get() > 0 && !ended;
    }

    boolean waits() {
      return entries.get() > 0 && admission.isWaiting();
    }
  }

  @Operation
  public void enter(@Param(name = "request") int index) {
    if (requests[index].entries.getAndIncrement() == 0) {
      requests[index].admission.take();
    }
  }

  @Operation
  public void end(@Param(name = "request") int index) {
    if (requests[index].runs.get() > 0) {
      requests[index].admission.end();
      requests[index].ended = true;
    }
  }

  @Operation
  public void withdraw(@Param(name = "request") int index) {
    requests[index].admission.dispose();
  }

  /** What holds when no operation runs. */
  @Validate
  public void check() {
    for (Request request : requests) {
      check(request.runs.get() <= 1, "a request ran twice");
      check(bulkhead.free() == 0 || !request.waits(), "a request waits beside a free permit");
    }
    long running = IntStream.range(0, REQUESTS).filter(i -> requests[i].isRunning()).count();
    check(bulkhead.free() + running == 1, bulkhead.free() + " permits, " + running + " running");
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }

  @Test
  void noPermitIsLostOrDoubledAndNobodyWaitsBesideOne() {
    new ModelCheckingOptions()
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(2)
        .actorsAfter(0)
        .addGuarantee(forClasses("io.millrace.internal.SerialDrain").methods("descend").ignore())
        .addGuarantee(forClasses(ShownText.class.getName()).allMethods().ignore())
        .iterations(Integer.getInteger("lincheck.scenarios", 15))
        .invocationsPerIteration(Integer.getInteger("lincheck.interleavings", 150))
        .check(getClass());
  }
}
