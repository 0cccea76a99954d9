package io.millrace.engine;

import io.millrace.InlineScheduler;
import io.millrace.Internals;
import io.millrace.SequenceBlock;
import io.millrace.SequenceGenerator;
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

  /** With a scheduler of its own: Lincheck follows references, and others keep tasks of tests. */
  private static final GeneratorConfig CONFIG =
      Internals.configOf(
          SequenceGenerator.builder(InMemorySequenceStore.create(), "s")
              .scheduler(new InlineScheduler()));

  private final Buffer buffer = new Buffer(CONFIG, new BlockSizes(10, 1_000, 1, null));

  /** One for each number of a thread: 0 before the others begin, then 1 and 2. */
  private final Taker[] takers = {new Taker(), new Taker(), new Taker()};

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

    void claim(Buffer buffer, int count) {
      if (!claim.isHolding()) {
        buffer.claim(claim, count);
      }
    }

    void issue(int count) {
      wanted = count;
      claim.issueTo(this);
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

  /** More than the largest claim that moves the cursor of an empty block. */
  @Operation
  public void claim(@Param(gen = ThreadIdGen.class) int thread) {
    takers[thread].claim(buffer, 300);
  }

  @Operation
  public void takeTwo(@Param(gen = ThreadIdGen.class) int thread) {
    takers[thread].claim(buffer, 2);
    takers[thread].issue(2);
  }

  @Operation
  public void takeOneAndLeave(@Param(gen = ThreadIdGen.class) int thread) {
    takers[thread].issue(1);
    takers[thread].claim.giveBack(buffer);
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
    long issued = 0;
    for (Taker taker : takers) {
      taker.claim.giveBack(buffer);
      check(taker.rises, "not in order");
      check((issued & taker.values) == 0, "a value was issued twice");
      issued |= taker.values;
    }
    long buffered = buffer.buffered();
    check(
        buffer.reserved() == Long.bitCount(issued) + buffered + buffer.discarded(),
        "the accounts differ");
    Taker last = new Taker();
    for (long left = buffered; left > 0; left--) {
      last.claim(buffer, 1);
      last.issue(1);
    }
    check((issued & last.values) == 0, "an issued value is buffered");
    check(Long.bitCount(last.values) == buffered, "a buffered value cannot be claimed");
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
        .iterations(Integer.getInteger("lincheck.scenarios", 10))
        .invocationsPerIteration(Integer.getInteger("lincheck.interleavings", 300))
        .check(getClass());
  }
}
