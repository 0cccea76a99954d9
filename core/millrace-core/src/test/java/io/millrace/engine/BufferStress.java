package io.millrace.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.millrace.Internals;
import io.millrace.SequenceBlock;
import io.millrace.SequenceGenerator;
import io.millrace.test.InMemorySequenceStore;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** A buffer alone: every value is claimed, buffered or discarded. */
public class BufferStress {

  private static final GeneratorConfig CONFIG =
      Internals.configOf(SequenceGenerator.builder(InMemorySequenceStore.create(), "s"));

  private BufferStress() {}

  /** A fragment is given back while the buffer is closed. */
  @JCStressTest
  @Outcome(id = "0, 3", expect = ACCEPTABLE, desc = "nothing is buffered, all is discarded")
  @State
  public static class GiveBackAgainstClose {

    private final Buffer buffer = new Buffer(CONFIG);

    @Actor
    public void giveBack() {
      buffer.giveBack(SequenceBlock.of(1, 3));
    }

    @Actor
    public void close() {
      buffer.close();
    }

    @Arbiter
    public void end(JJ_Result result) {
      result.r1 = buffer.buffered();
      result.r2 = buffer.discarded();
    }
  }

  /** The end of a block is given back while a large claim moves on to the next block. */
  @JCStressTest
  @Outcome(id = "5, 300, 0", expect = ACCEPTABLE, desc = "claimed what was given back")
  @Outcome(id = "300, 5, 0", expect = ACCEPTABLE, desc = "claimed the next block")
  @State
  public static class GiveBackAgainstMovingOn {

    private final Buffer buffer = new Buffer(CONFIG);
    private final Claim leaving = new Claim();
    private final Claim coming = new Claim();
    private long claimed;

    {
      buffer.append(SequenceBlock.of(1, 300), 0);
      buffer.append(SequenceBlock.of(301, 300), 0);
      buffer.claim(leaving, 300);
      leaving.issueTo(new Limited(295));
    }

    @Actor
    public void giveBack() {
      leaving.giveBack(buffer);
    }

    @Actor
    public void claim() {
      buffer.claim(coming, 300);
      claimed = coming.issueTo(new Limited(300));
    }

    @Arbiter
    public void end(JJJ_Result result) {
      result.r1 = claimed;
      result.r2 = buffer.buffered();
      result.r3 = buffer.discarded();
    }
  }

  /** Takes so many values. */
  private static final class Limited implements Claim.ValueSink {

    private int left;

    Limited(int left) {
      this.left = left;
    }

    @Override
    public boolean isOpen() {
      return left > 0;
    }

    @Override
    public void accept(long value) {
      left--;
    }
  }
}
