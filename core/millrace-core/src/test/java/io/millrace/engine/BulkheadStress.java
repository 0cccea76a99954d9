package io.millrace.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.millrace.InlineScheduler;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The bulkhead alone, with one permit: no request waits for nothing, no permit is lost or doubled.
 */
public class BulkheadStress {

  private BulkheadStress() {}

  /** A bulkhead whose permit the first request has, and a second one. */
  private static final class Pair {

    private final ReservationBulkhead bulkhead = new ReservationBulkhead(1);
    private final InlineScheduler scheduler = new InlineScheduler();
    private int runs;
    private final Admission first = new Admission(bulkhead, scheduler, admitted -> {});
    private final Admission second = new Admission(bulkhead, scheduler, admitted -> runs++);

    Pair() {
      first.take();
    }
  }

  /** A request comes when the one before it ends. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "it runs, and has the permit")
  @State
  public static class EnterAgainstEnd {

    private final Pair pair = new Pair();

    /** Ends the first request. */
    @Actor
    public void end() {
      pair.first.end();
    }

    /** Enters the second. */
    @Actor
    public void enter() {
      pair.second.take();
    }

    /** Shows how often the second ran, and how many permits are free. */
    @Arbiter
    public void end(II_Result result) {
      result.r1 = pair.runs;
      result.r2 = pair.bulkhead.free();
    }
  }

  /** A request is withdrawn when the one before it ends. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "it was admitted, and has the permit")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "it was withdrawn, and took no permit")
  @State
  public static class WithdrawAgainstEnd {

    private final Pair pair = new Pair();

    {
      pair.second.take();
    }

    /** Ends the first request. */
    @Actor
    public void end() {
      pair.first.end();
    }

    /** Withdraws the second. */
    @Actor
    public void withdraw() {
      pair.second.dispose();
    }

    /** Shows how often the second ran, and how many permits are free. */
    @Arbiter
    public void end(II_Result result) {
      result.r1 = pair.runs;
      result.r2 = pair.bulkhead.free();
    }
  }

  /** Two threads end the same request, for example its answer and its timeout. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "the permit came back once, for the second")
  @State
  public static class EndAgainstEnd {

    private final Pair pair = new Pair();

    {
      pair.second.take();
    }

    /** Ends the first request. */
    @Actor
    public void answer() {
      pair.first.end();
    }

    /** Ends it, too. */
    @Actor
    public void timeOut() {
      pair.first.end();
    }

    /** Shows how often the second ran, and how many permits are free. */
    @Arbiter
    public void end(II_Result result) {
      result.r1 = pair.runs;
      result.r2 = pair.bulkhead.free();
    }
  }
}
