package io.millrace.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.millrace.Probe;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * What a cancelled stream gives back against the move to the next block and against waiting. The
 * second part of an outcome tells who came first. {@link BlockCursorStress} has the block alone.
 */
public class PutBackStress {

  private PutBackStress() {}

  /** A stream cancelled amid the end of one block against a claim that goes on to the next. */
  @JCStressTest
  @Outcome(id = "ok, .*", expect = ACCEPTABLE)
  @State
  public static class PutBackAgainstMoveToTheNextBlock {

    private final Trial trial = Trial.filled(4, 3);
    private final Probe first = trial.next();
    private Probe leaving = trial.idle();
    private Probe other = trial.idle();

    {
      trial.store.answer();
    }

    /** Takes the end of the block and leaves amid it. */
    @Actor
    public void leave() {
      leaving = trial.values(3, 1);
    }

    /** Takes a run. */
    @Actor
    public void claim() {
      other = trial.values(6);
    }

    /** Lets all end, and checks the accounts. */
    @Arbiter
    public void end(LL_Result result) {
      result.r1 = trial.verdict(first, leaving, other);
      result.r2 = leaving.values + "" + other.values;
    }
  }

  /** What is given back against somebody who begins to wait. */
  @JCStressTest
  @Outcome(id = "ok, .*", expect = ACCEPTABLE)
  @State
  public static class PutBackAgainstWaiting {

    private final Trial trial = Trial.filled(3, 0);
    private Probe leaving = trial.idle();
    private Probe other = trial.idle();

    /** Takes all and leaves amid it. */
    @Actor
    public void leave() {
      leaving = trial.values(3, 1);
    }

    /** Takes a value. */
    @Actor
    public void claim() {
      other = trial.next();
    }

    /** Lets all end, and checks the accounts. */
    @Arbiter
    public void end(LL_Result result) {
      result.r1 = trial.verdict(leaving, other);
      result.r2 = leaving.values + "" + other.values;
    }
  }
}
