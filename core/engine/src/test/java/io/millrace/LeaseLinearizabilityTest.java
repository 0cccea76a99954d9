package io.millrace;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import io.millrace.internal.ShownText;
import io.millrace.internal.StackRoom;
import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * Lets two subscriptions lease a generator by name while it is watched and retired, in the
 * interleavings that Lincheck chooses. Each outcome must be one that the operations have one after
 * another, and a retired generator has no lease. For the system properties, see {@link
 * LiveBlockLinearizabilityTest}.
 */
public class LeaseLinearizabilityTest {

  private static final SequenceStore STORE = InMemorySequenceStore.withSequence("s", 1);

  private final LiveGenerator live =
      new LiveGenerator(
          new LiveGenerators(10, Bulkhead.OPEN, new InlineScheduler(), Duration.ZERO),
          "s",
          SequenceGenerator.builder(STORE, "s").scheduler(new InlineScheduler()),
          Bulkhead.OPEN);

  /** Whether each thread has a lease: 0 before the others begin, then 1 and 2. */
  private final boolean[] leased = new boolean[3];

  @Operation
  public boolean lease(@Param(gen = ThreadIdGen.class) int thread) {
    if (!leased[thread]) {
      leased[thread] = live.lease();
    }
    return leased[thread];
  }

  @Operation
  public void endLease(@Param(gen = ThreadIdGen.class) int thread) {
    if (leased[thread]) {
      leased[thread] = false;
      live.endLease();
    }
  }

  @Operation(nonParallelGroup = "drain loop")
  public boolean watch() {
    return live.watch();
  }

  @Operation(nonParallelGroup = "drain loop")
  public boolean retire() {
    return live.retire();
  }

  /** What holds when no operation runs. */
  @Validate
  public void check() {
    if (live.isRetired() && (leased[0] || leased[1] || leased[2])) {
      throw new IllegalStateException("leased and retired");
    }
  }

  @Test
  void eachOutcomeIsOneOfSomeOrder() {
    new ModelCheckingOptions()
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(1)
        .actorsAfter(1)
        .addGuarantee(forClasses(StackRoom.class.getName()).allMethods().ignore())
        .addGuarantee(forClasses(ShownText.class.getName()).allMethods().ignore())
        .addGuarantee(forClasses(LiveGenerators.class.getName()).allMethods().ignore())
        .iterations(Integer.getInteger("lincheck.scenarios", 15))
        .invocationsPerIteration(Integer.getInteger("lincheck.interleavings", 150))
        .check(getClass());
  }
}
