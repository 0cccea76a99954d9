package io.millrace.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.millrace.Probe;
import io.millrace.SequenceGeneratorSnapshot;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Snapshots against what moves values: no value that is not issued passes for issued. */
public class SnapshotStress {

  private SnapshotStress() {}

  /** A snapshot against the answer one subscriber waits for, and for one value. */
  @JCStressTest
  @Outcome(id = "0, 1", expect = ACCEPTABLE)
  @Outcome(id = "1, 1", expect = ACCEPTABLE)
  @State
  public static class AgainstAnswer {

    private final Trial trial = Trial.empty(4);
    private final Probe waiting = trial.next();
    private long seen;

    /** Answers. */
    @Actor
    public void refill() {
      trial.store.answer();
    }

    /** Looks. */
    @Actor
    public void look() {
      seen = trial.generator.snapshot().issued();
    }

    /** Tells how many values passed for issued, and how many were. */
    @Arbiter
    public void end(LL_Result result) {
      result.r1 = seen;
      result.r2 = waiting.values.size();
    }
  }

  /** The same in the ordered mode, where one who left makes a gap of three. */
  @JCStressTest
  @Outcome(id = "0, 1", expect = ACCEPTABLE) // the gap is seen, and not yet what was reserved
  @Outcome(id = "1, 1", expect = ACCEPTABLE)
  @Outcome(id = "2, 1", expect = ACCEPTABLE)
  @State
  public static class AgainstAnswerInOrderedMode {

    private final Trial trial = Trial.empty(1);
    private final Probe waiting;
    private long seen;

    /** One is served; of the two who share the next reservation one leaves. */
    public AgainstAnswerInOrderedMode() {
      trial.next();
      Probe leaving = trial.values(3);
      waiting = trial.next();
      trial.store.answer();
      leaving.cancel();
    }

    /** Answers. */
    @Actor
    public void refill() {
      trial.store.answer();
    }

    /** Looks. */
    @Actor
    public void look() {
      seen = trial.generator.snapshot().issued();
    }

    /** Tells how many values passed for issued, and how many the one who waited got. */
    @Arbiter
    public void end(LL_Result result) {
      result.r1 = seen;
      result.r2 = waiting.values.size();
    }
  }

  /** A snapshot that does not say the generator is disposed against the disposal. */
  @JCStressTest
  @Outcome(id = "0, .*", expect = ACCEPTABLE)
  @State
  public static class AgainstDisposal {

    private final Trial trial = Trial.filled(4, 0);
    private long seen;
    private boolean disposed;

    /** Discards what is buffered. */
    @Actor
    public void dispose() {
      trial.generator.dispose();
    }

    /** Looks. */
    @Actor
    public void look() {
      SequenceGeneratorSnapshot snapshot = trial.generator.snapshot();
      disposed = snapshot.disposed();
      seen = disposed ? 0 : snapshot.issued();
    }

    /** Tells how many values passed for issued. */
    @Arbiter
    public void end(LL_Result result) {
      result.r1 = seen;
      result.r2 = disposed;
    }
  }
}
