package io.millrace;

import io.millrace.test.InMemorySequenceStore;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * Lets two subscribers claim values and give some back while blocks are appended and the buffer is
 * closed, in the interleavings that Lincheck chooses. After each, every reserved value is issued
 * once, can be claimed, or is counted as discarded, and each subscriber's values rise. For the
 * system properties, see {@link LiveBlockLinearizabilityTest}.
 */
public class BufferLinearizabilityTest {

  private static final GeneratorConfig CONFIG =
      SequenceGenerator.builder(InMemorySequenceStore.create(), "s").config();

  private final Buffer buffer = new Buffer(CONFIG, new BatchSizes(10, 1_000, 1, null));
  private final Taker[] takers = {new Taker(), new Taker()};
  private long nextValue = 1;

  /** Creates a buffer with values. */
  public BufferLinearizabilityTest() {
    append();
  }

  /** Keeps one bit for each value, since Lincheck follows every access to memory. */
  private static final class Taker implements Claim.ValueSink {

    private final Claim claim = new Claim();
    private long values;
    private long last;
    private boolean rises = true;
    private int wanted;

    void take(Buffer buffer, int issued, int claimed) {
      wanted = issued;
      if (buffer.claim(claim, claimed)) {
        claim.issueTo(this);
        claim.giveBack(buffer);
      }
    }

    @Override
    public boolean isOpen() {
      return wanted > 0;
    }

    @Override
    public void accept(long value) {
      wanted--;
      rises &= value > last;
      last = value;
      values |= 1L << value;
    }
  }

  @Operation
  public void takeAllThatIsClaimed(@Param(gen = ThreadIdGen.class) int thread) {
    takers[thread].take(buffer, 2, 2);
  }

  @Operation
  public void takeAndGiveBack(@Param(gen = ThreadIdGen.class) int thread) {
    takers[thread].take(buffer, 1, 3);
  }

  @Operation
  public void claimAndGiveBack(@Param(gen = ThreadIdGen.class) int thread) {
    takers[thread].take(buffer, 0, 2);
  }

  @Operation(nonParallelGroup = "drain loop")
  public final void append() {
    buffer.append(SequenceBlock.of(nextValue, 3));
    nextValue += 3;
  }

  @Operation(nonParallelGroup = "drain loop")
  public void close() {
    buffer.close();
  }

  /** What holds when no operation runs. Claims what is left. */
  @Validate
  public void check() {
    long first = takers[0].values;
    long second = takers[1].values;
    check(takers[0].rises && takers[1].rises, "not in order");
    check((first & second) == 0, "a value was issued to both");
    long buffered = buffer.buffered();
    check(
        buffer.reserved() == Long.bitCount(first | second) + buffered + buffer.discarded(),
        "the accounts differ");
    Taker third = new Taker();
    for (long left = buffered; left > 0; left--) {
      third.take(buffer, 1, 1);
    }
    check((third.values & (first | second)) == 0, "an issued value is buffered");
    check(Long.bitCount(third.values) == buffered, "a buffered value cannot be claimed");
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }

  @Test
  void everyValueIsIssuedOnceOrLeftOrDiscarded() {
    new ModelCheckingOptions()
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(1)
        .actorsAfter(0)
        .iterations(Integer.getInteger("lincheck.scenarios", 25))
        .invocationsPerIteration(Integer.getInteger("lincheck.interleavings", 300))
        .check(getClass());
  }
}
