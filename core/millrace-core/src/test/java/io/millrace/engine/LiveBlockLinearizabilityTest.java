package io.millrace.engine;

import io.millrace.SequenceBlock;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * Runs operations on a block in two threads, in the interleavings that Lincheck chooses. Each
 * outcome must be one that the operations have one after another. The system properties {@code
 * lincheck.scenarios} and {@code lincheck.interleavings} set how many are tried.
 */
@Param(name = "index", gen = IntGen.class, conf = "0:3")
public class LiveBlockLinearizabilityTest {

  private final LiveBlock block = new LiveBlock(SequenceBlock.of(1, 3), 0);

  @Operation
  public long claim() {
    return block.claim(1);
  }

  @Operation
  public boolean claimAt(@Param(name = "index") int at) {
    return block.claimAt(at, 1);
  }

  @Operation
  public boolean putBack(@Param(name = "index") int from) {
    return block.putBack(from, from + 1);
  }

  @Operation
  public boolean sealIfSpent() {
    return block.sealIfSpent();
  }

  @Operation
  public long left() {
    return block.left();
  }

  @Test
  void eachOutcomeIsOneOfSomeOrder() {
    new ModelCheckingOptions()
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(1)
        .actorsAfter(1)
        .iterations(Integer.getInteger("lincheck.scenarios", 25))
        .invocationsPerIteration(Integer.getInteger("lincheck.interleavings", 300))
        .check(getClass());
  }
}
