package io.millrace.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.millrace.Probe;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Claims against claims. The second part of an outcome tells who came first. */
public class ClaimStress {

  private ClaimStress() {}

  private static String oneValue(String verdict, Probe probe) {
    return probe.values.size() == 1 ? verdict : "values " + probe.values;
  }

  /** Operators that change their upstream may request from two threads; the value is there. */
  @JCStressTest
  @Outcome(id = "ok, .*", expect = ACCEPTABLE)
  @State
  public static class TwoRequestsOfABufferedNext {

    private final Trial trial = Trial.filled(4, 0);
    private final Probe probe = Probe.of(trial.generator.next(), 0);

    @Actor
    public void first() {
      probe.request(1);
    }

    @Actor
    public void second() {
      probe.request(1);
    }

    @Arbiter
    public void end(LL_Result result) {
      result.r1 = oneValue(trial.verdict(probe), probe);
      result.r2 = probe.terminations;
    }
  }

  /** One value against a run, and fewer are buffered than both ask for. */
  @JCStressTest
  @Outcome(id = "ok, .*", expect = ACCEPTABLE)
  @State
  public static class NextAgainstValues {

    private final Trial trial = Trial.filled(4, 0);
    private Probe one = trial.idle();
    private Probe two = trial.idle();

    @Actor
    public void first() {
      one = trial.next();
    }

    @Actor
    public void second() {
      two = trial.values(4);
    }

    @Arbiter
    public void end(LL_Result result) {
      result.r1 = trial.verdict(one, two);
      result.r2 = one.values + "" + two.values;
    }
  }

  /** Both claims reach the low watermark, and one reservation starts. */
  @JCStressTest
  @Outcome(id = "ok, .*", expect = ACCEPTABLE)
  @State
  public static class ValuesAgainstValuesAtTheWatermark {

    private final Trial trial = Trial.filled(8, 4);
    private Probe one = trial.idle();
    private Probe two = trial.idle();

    @Actor
    public void first() {
      one = trial.values(5);
    }

    @Actor
    public void second() {
      two = trial.values(5);
    }

    @Arbiter
    public void end(LL_Result result) {
      result.r1 = trial.verdict(one, two);
      result.r2 = one.values.size() + " " + two.values.size();
    }
  }

  /** Two requests of one subscription. */
  @JCStressTest
  @Outcome(id = "ok, .*", expect = ACCEPTABLE)
  @State
  public static class RequestAgainstRequest {

    private final Trial trial = Trial.filled(4, 0);
    private final Probe one = trial.values(1);

    @Actor
    public void first() {
      one.request(2);
    }

    @Actor
    public void second() {
      one.request(2);
    }

    @Arbiter
    public void end(LL_Result result) {
      result.r1 = trial.verdict(one) + (one.values.size() == 5 ? "" : " lost demand");
      result.r2 = one.values;
    }
  }
}
