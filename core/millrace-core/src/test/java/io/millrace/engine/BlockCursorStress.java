package io.millrace.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.millrace.SequenceBlock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZJJ_Result;
import org.openjdk.jcstress.infra.results.ZJ_Result;
import org.openjdk.jcstress.infra.results.ZZJ_Result;

/** A block alone: no value is claimed twice, and none is put back where nobody looks for it. */
public class BlockCursorStress {

  private BlockCursorStress() {}

  private static BlockCursor claimed(int size, int claimed) {
    BlockCursor block = new BlockCursor(SequenceBlock.of(0, size), 0);
    block.claim(claimed);
    return block;
  }

  /** The end of a claim is put back while another thread claims. */
  @JCStressTest
  @Outcome(id = "true, 2, 5", expect = ACCEPTABLE, desc = "put back, then claimed")
  @Outcome(id = "false, 4, 7", expect = ACCEPTABLE, desc = "claimed, so not put back")
  @State
  public static class PutBackAgainstClaim {

    private final BlockCursor block = claimed(100, 4);

    @Actor
    public void putBack(ZJJ_Result result) {
      result.r1 = block.putBack(2, 4);
    }

    @Actor
    public void claim(ZJJ_Result result) {
      result.r2 = block.claim(3);
    }

    @Arbiter
    public void end(ZJJ_Result result) {
      result.r3 = block.position();
    }
  }

  /** The same against a claim that reads the cursor first, as claims of fragments do. */
  @JCStressTest
  @Outcome(id = "true, 2, 5", expect = ACCEPTABLE, desc = "put back, then claimed")
  @Outcome(id = "true, -1, 2", expect = ACCEPTABLE, desc = "put back, and not claimed")
  @Outcome(id = "false, 4, 7", expect = ACCEPTABLE, desc = "claimed, so not put back")
  @State
  public static class PutBackAgainstClaimAt {

    private final BlockCursor block = claimed(100, 4);

    @Actor
    public void putBack(ZJJ_Result result) {
      result.r1 = block.putBack(2, 4);
    }

    @Actor
    public void claim(ZJJ_Result result) {
      long at = block.position();
      result.r2 = block.claimAt(at, 3) ? at : -1;
    }

    @Arbiter
    public void end(ZJJ_Result result) {
      result.r3 = block.position();
    }
  }

  /** A claim of all values is put back while another thread seals the spent block. */
  @JCStressTest
  @Outcome(id = "true, false, 2", expect = ACCEPTABLE, desc = "put back, so not sealed")
  @Outcome(id = "false, true, 0", expect = ACCEPTABLE, desc = "sealed, so not put back")
  @State
  public static class PutBackAgainstSealIfSpent {

    private final BlockCursor block = claimed(4, 4);

    @Actor
    public void putBack(ZZJ_Result result) {
      result.r1 = block.putBack(2, 4);
    }

    @Actor
    public void seal(ZZJ_Result result) {
      result.r2 = block.sealIfSpent();
    }

    @Arbiter
    public void end(ZZJ_Result result) {
      result.r3 = block.left();
    }
  }

  /** The end of a claim is put back while the shutdown takes what is left. */
  @JCStressTest
  @Outcome(id = "true, 2", expect = ACCEPTABLE, desc = "put back, and taken by the shutdown")
  @Outcome(id = "false, 4", expect = ACCEPTABLE, desc = "taken by the shutdown, so not put back")
  @State
  public static class PutBackAgainstSeal {

    private final BlockCursor block = claimed(100, 4);

    @Actor
    public void putBack(ZJ_Result result) {
      result.r1 = block.putBack(2, 4);
    }

    @Actor
    public void seal(ZJ_Result result) {
      result.r2 = block.seal();
    }
  }
}
