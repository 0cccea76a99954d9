package io.millrace.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.millrace.Probe;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Claims against the answer of the store. The second part of an outcome tells who came first. */
public class RefillStress {

  private RefillStress() {}

  /** A newcomer against the answer another waits for. */
  @JCStressTest
  @Outcome(id = "ok, .*", expect = ACCEPTABLE)
  @State
  public static class NextAgainstAnswer {

    private final Trial trial = Trial.empty(2);
    private final Probe waiting = trial.next();
    private Probe newcomer = trial.idle();

    @Actor
    public void refill() {
      trial.store.answer();
    }

    @Actor
    public void claim() {
      newcomer = trial.next();
    }

    @Arbiter
    public void end(LL_Result result) {
      result.r1 = trial.verdict(waiting, newcomer);
      result.r2 = newcomer.values;
    }
  }

  /** A run that empties the buffer against the answer of a prefetch. */
  @JCStressTest
  @Outcome(id = "ok, .*", expect = ACCEPTABLE)
  @State
  public static class ValuesAgainstAnswerOfPrefetch {

    private final Trial trial = Trial.filled(4, 3);
    private final Probe first = trial.next();
    private Probe newcomer = trial.idle();

    @Actor
    public void refill() {
      trial.store.answer();
    }

    @Actor
    public void claim() {
      newcomer = trial.values(5);
    }

    @Arbiter
    public void end(LL_Result result) {
      result.r1 = trial.verdict(first, newcomer);
      result.r2 = newcomer.values.size();
    }
  }

  /** A newcomer against the answer that is not for it. */
  @JCStressTest
  @Outcome(id = "ok, .*", expect = ACCEPTABLE)
  @State
  public static class NextAgainstAnswerInOrderedMode {

    private final Trial trial = Trial.empty(1);
    private final Probe waiting = trial.next();
    private Probe newcomer = trial.idle();

    @Actor
    public void refill() {
      trial.store.answer();
    }

    @Actor
    public void claim() {
      newcomer = trial.next();
    }

    @Arbiter
    public void end(LL_Result result) {
      result.r1 = newcomer.values.contains(1L) ? "overtook" : trial.verdict(waiting, newcomer);
      result.r2 = newcomer.values;
    }
  }

  /** More demand of the one who waits against the answer. */
  @JCStressTest
  @Outcome(id = "ok, .*", expect = ACCEPTABLE)
  @State
  public static class RequestAgainstAnswer {

    private final Trial trial = Trial.empty(2);
    private final Probe waiting = trial.values(1);

    @Actor
    public void refill() {
      trial.store.answer();
    }

    @Actor
    public void ask() {
      waiting.request(3);
    }

    @Arbiter
    public void end(LL_Result result) {
      result.r1 = trial.verdict(waiting) + (waiting.values.size() == 4 ? "" : " lost demand");
      result.r2 = waiting.values;
    }
  }

  /** A newcomer against the failure of the reservation another waits for. */
  @JCStressTest
  @Outcome(id = "ok, .*", expect = ACCEPTABLE)
  @State
  public static class NextAgainstFailure {

    private final Trial trial = Trial.empty(2);
    private final Probe waiting = trial.next();
    private Probe newcomer = trial.idle();

    @Actor
    public void fail() {
      trial.store.fail(new IllegalStateException("on purpose"));
    }

    @Actor
    public void claim() {
      newcomer = trial.next();
    }

    @Arbiter
    public void end(LL_Result result) {
      result.r1 = trial.verdictAfterBackoff(waiting, newcomer);
      result.r2 = newcomer.values;
    }
  }
}
