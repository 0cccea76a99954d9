package io.millrace;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.millrace.test.InMemorySequenceStore;
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

  /** The same for one that has subscribed before: it has no lease until it waits. */
  @JCStressTest
  @Outcome(id = "\\[2\\], 3", expect = ACCEPTABLE)
  @State
  public static class RequestAgainstEviction {

    private final Home home = new Home();
    private final Probe probe = Probe.of(home.handle.next(), 0);

    /** Asks for the value. */
    @Actor
    public void request() {
      probe.request(1);
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

  /** A cancel that meets the request, where the value has to be waited for, leaves no lease. */
  @JCStressTest
  @Outcome(id = "\\[\\d?\\], 0", expect = ACCEPTABLE)
  @State
  public static class RequestAgainstCancelInOrder {

    private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("s", 1);
    private final SequenceGenerators generators =
        SequenceGenerators.builder(store)
            .scheduler(new InlineScheduler())
            .sequence("s", options -> options.batchSize(1))
            .build();
    private final Probe probe;

    /** Called by jcstress. */
    public RequestAgainstCancelInOrder() {
      Probe.of(generators.get("s").next(), 1);
      probe = Probe.of(generators.get("s").next(), 0);
    }

    /** Asks for the value. */
    @Actor
    public void request() {
      probe.request(1);
    }

    /** Leaves. */
    @Actor
    public void cancel() {
      probe.cancel();
    }

    /** Tells the value, and how many generators cannot be evicted. */
    @Arbiter
    public void end(LL_Result result) {
      result.r1 = outcome(probe);
      generators.get("s").dispose();
      result.r2 = generators.held();
    }
  }

  /** Two subscriptions find one successor. Two actors, because jcstress needs a CPU for each. */
  @JCStressTest
  @Outcome(id = "\\[2\\] \\[3\\], 4", expect = ACCEPTABLE)
  @Outcome(id = "\\[3\\] \\[2\\], 4", expect = ACCEPTABLE)
  @State
  public static class TwoAgainstEviction {

    private final Home home = new Home();
    private Probe first = Probe.idle();
    private Probe second = Probe.idle();

    /** Has the generator evicted, if nobody uses it, and takes one value. */
    @Actor
    public void evictAndTake() {
      home.other.dispose();
      first = Probe.of(home.handle.next(), 1);
    }

    /** Takes another. */
    @Actor
    public void take() {
      second = Probe.of(home.generators.get("s").next(), 1);
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

  /**
   * A user who goes from one generator to the other leaves one of them idle at each moment, so that
   * there is a place for a third, wherever it is looked for first.
   */
  @JCStressTest
  @Outcome(id = "\\[1\\] \\[\\d\\], 2", expect = ACCEPTABLE)
  @State
  public static class OneWhoMovesAgainstOneWhoNeedsAPlace {

    private final InMemorySequenceStore store = InMemorySequenceStore.create();
    private final SequenceGenerators generators =
        SequenceGenerators.builder(store)
            .scheduler(new InlineScheduler())
            .maxGenerators(2)
            .anyName()
            .defaults(options -> options.createMissing(1))
            .build();
    private final Probe first = Probe.of(generators.get("a").values(), 1);
    private Probe second = Probe.idle();
    private Probe third = Probe.idle();

    /** Called by jcstress. */
    public OneWhoMovesAgainstOneWhoNeedsAPlace() {
      Probe.of(generators.get("b").next(), 1);
    }

    /** Goes from one to the other. */
    @Actor
    public void move() {
      first.cancel();
      second = Probe.of(generators.get("b").next(), 1);
    }

    /** Needs a place. */
    @Actor
    public void seek() {
      third = Probe.of(generators.get("c").next(), 1);
    }

    /** Tells the values, and how many can be used at once after that. */
    @Arbiter
    public void end(LL_Result result) {
      result.r1 = outcome(third) + " " + outcome(second);
      Probe.of(generators.get("d").values(), 1);
      Probe.of(generators.get("e").values(), 1);
      result.r2 = generators.snapshots().stream().filter(each -> each.issued() == 1).count();
    }
  }

  /** A subscription that is cancelled while it needs a place leaves no lease, and takes none. */
  @JCStressTest
  @Outcome(id = "\\[1\\] \\[1\\]", expect = ACCEPTABLE)
  @State
  public static class TwoWhoNeedAPlaceAndCancel {

    private final InMemorySequenceStore store = InMemorySequenceStore.create();
    private final SequenceGenerators generators =
        SequenceGenerators.builder(store)
            .scheduler(new InlineScheduler())
            .maxGenerators(2)
            .anyName()
            .defaults(options -> options.createMissing(1))
            .build();

    /** Comes and goes. */
    @Actor
    public void first() {
      Probe.of(generators.get("a").values(), 0).cancel();
    }

    /** Comes and goes. */
    @Actor
    public void second() {
      Probe.of(generators.get("b").values(), 0).cancel();
    }

    /** Uses both places at once. */
    @Arbiter
    public void end(L_Result result) {
      Probe one = Probe.of(generators.get("c").values(), 1);
      Probe two = Probe.of(generators.get("d").values(), 1);
      result.r1 = outcome(one) + " " + outcome(two);
    }
  }

  /**
   * Who needs a generator while all are disposed has a value or that error, and nothing is left.
   */
  @JCStressTest
  @Outcome(id = "\\[1\\] 0", expect = ACCEPTABLE)
  @Outcome(id = ".*SequenceDisposedException.* 0", expect = ACCEPTABLE)
  @State
  public static class OneWhoNeedsAGeneratorAgainstTheEndOfAll {

    private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("a", 1);
    private final SequenceGenerators generators =
        SequenceGenerators.builder(store).scheduler(new InlineScheduler()).anyName().build();
    private Probe probe = Probe.idle();

    /** Takes one value. */
    @Actor
    public void take() {
      probe = Probe.of(generators.get("a").next(), 1);
    }

    /** Disposes all. */
    @Actor
    public void dispose() {
      generators.dispose();
    }

    /** Tells the outcome, and how many generators are held. */
    @Arbiter
    public void end(L_Result result) {
      result.r1 = outcome(probe) + " " + generators.held();
    }
  }
}
