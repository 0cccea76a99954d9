package io.millrace.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.millrace.Probe;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** The disposal against those who wait. The second part of an outcome tells who came first. */
public class DisposeStress {

  private DisposeStress() {}

  /** One waits, another comes. */
  @JCStressTest
  @Outcome(id = "ok, .*", expect = ACCEPTABLE)
  @State
  public static class DisposeAgainstNewcomer {

    private final Trial trial = Trial.empty(2);
    private final Probe waiting = trial.next();
    private Probe newcomer = trial.idle();

    @Actor
    public void dispose() {
      trial.generator.dispose();
    }

    @Actor
    public void claim() {
      newcomer = trial.next();
    }

    @Arbiter
    public void end(LL_Result result) {
      result.r1 = trial.verdictOfDisposed(waiting, newcomer);
      result.r2 = newcomer.values;
    }
  }

  /** The answer comes. */
  @JCStressTest
  @Outcome(id = "ok, .*", expect = ACCEPTABLE)
  @State
  public static class DisposeAgainstAnswer {

    private final Trial trial = Trial.empty(2);
    private final Probe waiting = trial.next();

    @Actor
    public void dispose() {
      trial.generator.dispose();
    }

    @Actor
    public void refill() {
      trial.store.answer();
    }

    @Arbiter
    public void end(LL_Result result) {
      result.r1 = trial.verdictOfDisposed(waiting);
      result.r2 = waiting.values;
    }
  }

  /** The one who waits leaves. */
  @JCStressTest
  @Outcome(id = "ok, .*", expect = ACCEPTABLE)
  @State
  public static class DisposeAgainstCancel {

    private final Trial trial = Trial.empty(2);
    private final Probe waiting = trial.next();
    private final Probe leaving = trial.next();

    @Actor
    public void dispose() {
      trial.generator.dispose();
    }

    @Actor
    public void leave() {
      leaving.cancel();
    }

    @Arbiter
    public void end(LL_Result result) {
      result.r1 = trial.verdictOfDisposed(waiting);
      result.r2 = leaving.terminations;
    }
  }

  /** Somebody takes what is buffered, while it is given back to the store. */
  @JCStressTest
  @Outcome(id = "ok, .*", expect = ACCEPTABLE)
  @State
  public static class DisposeAgainstClaim {

    private final Trial trial = Trial.filled(4, 0);
    private Probe newcomer = trial.idle();

    @Actor
    public void dispose() {
      trial.generator.dispose();
    }

    @Actor
    public void claim() {
      newcomer = trial.values(8);
    }

    @Arbiter
    public void end(LL_Result result) {
      result.r1 = trial.verdictOfDisposed(newcomer);
      result.r2 = newcomer.values + " next " + trial.store.nextValue();
    }
  }

  /** Somebody gives back what it claimed. */
  @JCStressTest
  @Outcome(id = "ok, .*", expect = ACCEPTABLE)
  @State
  public static class DisposeAgainstPutBack {

    private final Trial trial = Trial.filled(4, 0);
    private Probe leaving = trial.idle();

    @Actor
    public void dispose() {
      trial.generator.dispose();
    }

    @Actor
    public void leave() {
      leaving = trial.values(3, 1);
    }

    @Arbiter
    public void end(LL_Result result) {
      result.r1 = trial.verdictOfCancelled(leaving);
      result.r2 = leaving.values + " next " + trial.store.nextValue();
    }
  }
}
