package io.millrace.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.millrace.ListProbe;
import io.millrace.Probe;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Cancels against the answer of the store. The second part of an outcome tells who came first. */
public class CancelStress {

  private CancelStress() {}

  /** One of two who wait leaves, and another comes, against the answer. */
  @JCStressTest
  @Outcome(id = "ok, .*", expect = ACCEPTABLE)
  @State
  public static class NextCancelledAndAnotherComes {

    private final Trial trial = Trial.empty(4);
    private final Probe leaving = trial.next();
    private Probe newcomer = trial.idle();

    @Actor
    public void refill() {
      trial.store.answer();
    }

    @Actor
    public void leave() {
      leaving.cancel();
      newcomer = trial.next();
    }

    @Arbiter
    public void end(LL_Result result) {
      result.r1 = trial.verdict(leaving, newcomer);
      result.r2 = leaving.values + "" + newcomer.values;
    }
  }

  /** One asks for a value that is buffered, and leaves at that moment. */
  @JCStressTest
  @Outcome(id = "ok, .*", expect = ACCEPTABLE)
  @State
  public static class NextAtOnceCancelled {

    private final Trial trial = Trial.filled(4, 0);
    private final Probe leaving = Probe.of(trial.generator.next(), 0);

    @Actor
    public void ask() {
      leaving.request(1);
    }

    @Actor
    public void leave() {
      leaving.cancel();
    }

    @Arbiter
    public void end(LL_Result result) {
      result.r1 = trial.verdict(leaving);
      result.r2 = leaving.values;
    }
  }

  /** A stream is cancelled against the answer. */
  @JCStressTest
  @Outcome(id = "ok, .*", expect = ACCEPTABLE)
  @State
  public static class ValuesCancelled {

    private final Trial trial = Trial.empty(4);
    private final Probe leaving = trial.values(3);
    private final Probe staying = trial.values(3);

    @Actor
    public void refill() {
      trial.store.answer();
    }

    @Actor
    public void leave() {
      leaving.cancel();
    }

    @Arbiter
    public void end(LL_Result result) {
      result.r1 = trial.verdict(leaving, staying);
      result.r2 = leaving.values.size() + " " + staying.values.size();
    }
  }

  /** A stream is cancelled against the answer; what it gives back is a gap or another's share. */
  @JCStressTest
  @Outcome(id = "ok, .*", expect = ACCEPTABLE)
  @State
  public static class ValuesCancelledInOrderedMode {

    private final Trial trial = Trial.empty(1);
    private final Probe first = trial.next();
    private final Probe leaving = trial.values(3);
    private final Probe staying = trial.values(3);

    {
      trial.store.answer();
    }

    @Actor
    public void refill() {
      trial.store.answer();
    }

    @Actor
    public void leave() {
      leaving.cancel();
    }

    @Arbiter
    public void end(LL_Result result) {
      result.r1 = trial.verdict(first, leaving, staying);
      result.r2 = leaving.values.size() + " " + staying.values.size();
    }
  }

  /** A list that is half collected is cancelled against the answer. */
  @JCStressTest
  @Outcome(id = "ok, .*", expect = ACCEPTABLE)
  @State
  public static class ListCancelled {

    private final Trial trial = Trial.filled(2, 0);
    private final ListProbe leaving = new ListProbe(trial.generator, 3);
    private final Probe staying = trial.next();

    @Actor
    public void refill() {
      trial.store.answer();
    }

    @Actor
    public void leave() {
      leaving.cancel();
    }

    @Arbiter
    public void end(LL_Result result) {
      result.r1 = trial.verdict(leaving.asProbe(), staying);
      result.r2 = leaving.asProbe().values.size();
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

    @Actor
    public void leave() {
      leaving = trial.values(3, 1);
    }

    @Actor
    public void claim() {
      other = trial.next();
    }

    @Arbiter
    public void end(LL_Result result) {
      result.r1 = trial.verdict(leaving, other);
      result.r2 = leaving.values + "" + other.values;
    }
  }
}
