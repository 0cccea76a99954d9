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

    @Actor
    public void refill() {
      trial.store.answer();
    }

    @Actor
    public void look() {
      seen = trial.generator.snapshot().issued();
    }

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

    @Actor
    public void dispose() {
      trial.generator.dispose();
    }

    @Actor
    public void look() {
      SequenceGeneratorSnapshot snapshot = trial.generator.snapshot();
      disposed = snapshot.disposed();
      seen = disposed ? 0 : snapshot.issued();
    }

    @Arbiter
    public void end(LL_Result result) {
      result.r1 = seen;
      result.r2 = disposed;
    }
  }
}
