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
 * The timeout of those who wait against what else ends a wait. The second part of an outcome tells
 * who came first.
 */
public class TimeoutStress {

  private TimeoutStress() {}

  /** The answer comes at the last moment. */
  @JCStressTest
  @Outcome(id = "ok, .*", expect = ACCEPTABLE)
  @State
  public static class TimeoutAgainstAnswer {

    private final Trial trial = Trial.empty(2);
    private final Probe waiting = trial.next();

    @Actor
    public void timeout() {
      trial.scheduler.advance(Trial.TIMEOUT);
    }

    @Actor
    public void refill() {
      trial.store.answer();
    }

    @Arbiter
    public void end(LL_Result result) {
      result.r1 =
          waiting.terminations != 1 ? "ends " + waiting.terminations : trial.verdict(waiting);
      result.r2 = waiting.values;
    }
  }

  /** The answer comes at the last moment and is too small. */
  @JCStressTest
  @Outcome(id = "ok, .*", expect = ACCEPTABLE)
  @State
  public static class TimeoutAgainstAnswerForStream {

    private final Trial trial = Trial.empty(2);
    private final Probe waiting = trial.values(2);

    {
      waiting.request(3);
    }

    @Actor
    public void timeout() {
      trial.scheduler.advance(Trial.TIMEOUT);
    }

    @Actor
    public void refill() {
      trial.store.answer();
    }

    @Arbiter
    public void end(LL_Result result) {
      result.r1 = trial.verdict(waiting);
      result.r2 = waiting.values;
    }
  }

  /** The subscriber leaves at the last moment. */
  @JCStressTest
  @Outcome(id = "ok, .*", expect = ACCEPTABLE)
  @State
  public static class TimeoutAgainstCancel {

    private final Trial trial = Trial.empty(2);
    private final Probe waiting = trial.next();

    @Actor
    public void timeout() {
      trial.scheduler.advance(Trial.TIMEOUT);
    }

    @Actor
    public void leave() {
      waiting.cancel();
    }

    @Arbiter
    public void end(LL_Result result) {
      result.r1 = trial.verdict(waiting);
      result.r2 = waiting.terminations;
    }
  }

  /** Another comes, whose time is not up, and is not forgotten. */
  @JCStressTest
  @Outcome(id = "ok, .*", expect = ACCEPTABLE)
  @State
  public static class TimeoutAgainstNewcomer {

    private final Trial trial = Trial.empty(2);
    private final Probe waiting = trial.next();
    private Probe newcomer = trial.idle();

    @Actor
    public void timeout() {
      trial.scheduler.advance(Trial.TIMEOUT);
    }

    @Actor
    public void claim() {
      newcomer = trial.next();
    }

    @Arbiter
    public void end(LL_Result result) {
      result.r1 =
          waiting.terminations == 1 ? trial.verdictAfterTimeout(newcomer) : "never timed out";
      result.r2 = newcomer.terminations;
    }
  }
}
