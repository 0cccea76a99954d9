package io.millrace.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.millrace.Probe;
import io.millrace.SequenceBlock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZJ_Result;

/** A subscriber that waits, alone: what is granted to it is its own, or goes back. */
public class WaiterStress {

  private WaiterStress() {}

  /** A cancel while the drain loop grants three values. */
  @JCStressTest
  @Outcome(
      id = "false, 10",
      expect = ACCEPTABLE,
      desc = "nothing is held, all can be claimed again")
  @State
  public static class CancelAgainstGrant {

    private final Trial trial = Trial.empty(10);
    private final Probe inLine = trial.next(); // its place is the one that is given up
    private final StandIn waiter = new StandIn(trial.generator);
    private final BlockCursor block = new BlockCursor(SequenceBlock.of(1, 10), 0);
    private final Claim claim = new Claim();

    {
      claim.hold(block, block.claim(3), 3);
    }

    @Actor
    public void grant() {
      if (waiter.startGranting()) {
        waiter.grant(claim);
      } else {
        trial.generator.giveBack(claim);
      }
    }

    @Actor
    public void cancel() {
      waiter.cancel();
    }

    @Arbiter
    public void end(ZJ_Result result) {
      result.r1 = waiter.isHolding() || claim.isHolding();
      result.r2 = block.left() + inLine.values.size();
    }
  }
}
