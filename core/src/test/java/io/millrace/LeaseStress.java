package io.millrace;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;
import org.openjdk.jcstress.infra.results.L_Result;

/** Subscriptions against the eviction of the generator they are about to use. */
public class LeaseStress {

  private LeaseStress() {}

  /** Generators of one sequence, the first of which has values buffered, and their store. */
  private static final class Home {

    private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("s", 1);
    private final SequenceGenerators generators =
        SequenceGenerators.builder(store)
            .scheduler(new InlineScheduler())
            .maxGenerators(1)
            .anyName()
            .build();
    private final SequenceGenerator handle = generators.get("s");
    private final SequenceGenerator other = generators.get("s");

    Home() {
      Probe.of(handle.next(), 1);
    }

    /** Where the sequence goes on once all is given back. */
    long nextValue() {
      generators.dispose();
      long[] next = new long[1];
      store.state("s").subscribe(state -> next[0] = state.nextValue());
      return next[0];
    }
  }

  private static Object outcome(Probe probe) {
    return probe.error == null ? probe.values : probe.error;
  }

  /** The value comes from the generator or from its successor, and no value is a gap. */
  @JCStressTest
  @Outcome(id = "\\[2\\], 3", expect = ACCEPTABLE)
  @State
  public static class NextAgainstEviction {

    private final Home home = new Home();
    private Probe probe = Probe.idle();

    /** Takes one value. */
    @Actor
    public void take() {
      probe = Probe.of(home.handle.next(), 1);
    }

    /** Has the generator evicted, if nobody uses it. */
    @Actor
    public void evict() {
      home.other.dispose();
    }

    /** Tells the value, and where the sequence goes on. */
    @Arbiter
    public void end(LL_Result result) {
      result.r1 = outcome(probe);
      result.r2 = home.nextValue();
    }
  }

  /** Two subscriptions find one successor. */
  @JCStressTest
  @Outcome(id = "\\[2\\] \\[3\\], 4", expect = ACCEPTABLE)
  @Outcome(id = "\\[3\\] \\[2\\], 4", expect = ACCEPTABLE)
  @State
  public static class TwoAgainstEviction {

    private final Home home = new Home();
    private Probe first = Probe.idle();
    private Probe second = Probe.idle();

    /** Takes one value. */
    @Actor
    public void takeFirst() {
      first = Probe.of(home.handle.next(), 1);
    }

    /** Takes another. */
    @Actor
    public void takeSecond() {
      second = Probe.of(home.generators.get("s").next(), 1);
    }

    /** Has the generator evicted, if nobody uses it. */
    @Actor
    public void evict() {
      home.other.dispose();
    }

    /** Tells the values, and where the sequence goes on. */
    @Arbiter
    public void end(LL_Result result) {
      result.r1 = outcome(first) + " " + outcome(second);
      result.r2 = home.nextValue();
    }
  }

  /** Two subscriptions to a sequence without a generator find the one place that another has. */
  @JCStressTest
  @Outcome(id = "\\[1\\] \\[2\\]", expect = ACCEPTABLE)
  @Outcome(id = "\\[2\\] \\[1\\]", expect = ACCEPTABLE)
  @State
  public static class TwoWhoNeedThePlaceOfAnother {

    private final Home home = new Home();
    private Probe first = Probe.idle();
    private Probe second = Probe.idle();

    /** Called by jcstress. */
    public TwoWhoNeedThePlaceOfAnother() {
      home.store.create("t", 1).subscribe();
    }

    /** Takes one value. */
    @Actor
    public void takeFirst() {
      first = Probe.of(home.generators.get("t").next(), 1);
    }

    /** Takes another. */
    @Actor
    public void takeSecond() {
      second = Probe.of(home.generators.get("t").next(), 1);
    }

    /** Tells the values. */
    @Arbiter
    public void end(L_Result result) {
      result.r1 = outcome(first) + " " + outcome(second);
    }
  }
}
