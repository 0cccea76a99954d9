package io.millrace.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.millrace.test.InMemorySequenceStore;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Two reservations at once never share a value and leave none out. */
@JCStressTest
@Outcome(id = "\\[1..2\\], \\[3..5\\]", expect = ACCEPTABLE, desc = "the first came first")
@Outcome(id = "\\[4..5\\], \\[1..3\\]", expect = ACCEPTABLE, desc = "the second came first")
@State
public class InMemorySequenceStoreStress {

  private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("x", 1);

  /** Reserves two values. */
  @Actor
  public void first(LL_Result result) {
    store.reserve("x", 2).subscribe(block -> result.r1 = block.toString());
  }

  /** Reserves three values. */
  @Actor
  public void second(LL_Result result) {
    store.reserve("x", 3).subscribe(block -> result.r2 = block.toString());
  }
}
