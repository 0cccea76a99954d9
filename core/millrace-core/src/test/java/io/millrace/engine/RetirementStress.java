package io.millrace.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.millrace.InlineScheduler;
import io.millrace.Internals;
import io.millrace.Probe;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGenerators;
import io.millrace.test.InMemorySequenceStore;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;
import org.openjdk.jcstress.infra.results.L_Result;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

/** Subscriptions against the retirement of the generator by name that they use. */
public class RetirementStress {

  private RetirementStress() {}

  /** Generators of one sequence, of which the value 1 is taken, and their store. */
  private static final class Home {

    private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("s", 1);
    private final SequenceGenerators generators;
    private final SequenceGenerator handle;

    Home(int blockSize) {
      generators =
          SequenceGenerators.builder(store)
              .scheduler(new InlineScheduler())
              .sequence("s", options -> options.blockSize(blockSize))
              .build();
      handle = generators.get("s");
      Probe.of(handle.next(), 1);
    }

    void evict() {
      generators.get("s").dispose();
    }

    /** Where the sequence goes on once all is given back, and how many generators are left. */
    String end() {
      generators.dispose();
      long[] next = new long[1];
      store.state("s").subscribe(state -> next[0] = state.nextValue());
      return next[0] + " " + Internals.of(generators).held();
    }
  }

  private static Object outcome(Probe probe) {
    return probe.error == null ? probe.values : probe.error;
  }

  /** The value comes from the generator or from its successor, and no value is a gap. */
  @JCStressTest
  @Outcome(id = "\\[2\\], 3 0", expect = ACCEPTABLE)
  @State
  public static class ClaimAgainstRetirement {

    private final Home home = new Home(10);
    private final Probe probe = Probe.of(home.handle.next(), 0);

    @Actor
    public void request() {
      probe.request(1);
    }

    @Actor
    public void evict() {
      home.evict();
    }

    @Arbiter
    public void end(LL_Result result) {
      result.r1 = outcome(probe);
      result.r2 = home.end();
    }
  }

  /** The same for a stream, which goes from one generator to the next. */
  @JCStressTest
  @Outcome(id = "\\[2, 3, 4\\], 5 0", expect = ACCEPTABLE)
  @State
  public static class StreamAgainstRetirement {

    private final Home home = new Home(10);
    private final Probe probe = Probe.of(home.handle.values(), 1);

    @Actor
    public void request() {
      probe.request(1);
      probe.request(1);
    }

    @Actor
    public void evict() {
      home.evict();
    }

    @Arbiter
    public void end(LL_Result result) {
      result.r1 = outcome(probe);
      result.r2 = home.end();
    }
  }

  /** Nothing is buffered: who comes to the line of a generator that retires goes on to the next. */
  @JCStressTest
  @Outcome(id = "\\[2\\], 3 0", expect = ACCEPTABLE)
  @State
  public static class WaiterAgainstRetirement {

    private final Home home = new Home(1);
    private Probe probe = Probe.idle();

    @Actor
    public void take() {
      probe = Probe.of(home.handle.next(), 1);
    }

    @Actor
    public void evict() {
      home.evict();
    }

    @Arbiter
    public void end(LL_Result result) {
      result.r1 = outcome(probe);
      result.r2 = home.end();
    }
  }

  /** Values that come back are issued again, or are a gap if they come too late; never both. */
  @JCStressTest
  @Outcome(id = "\\[2\\] \\[3\\], 4 0", expect = ACCEPTABLE)
  @Outcome(id = "\\[2\\] \\[5\\], 6 0", expect = ACCEPTABLE, desc = "too late")
  @State
  public static class GiveBackAgainstRetirement {

    private final Home home = new Home(10);
    private final List<Long> received = new ArrayList<>();

    @Actor
    public void takeAndCancel() {
      home.handle
          .values()
          .subscribe(
              new BaseSubscriber<Long>() {
                @Override
                protected void hookOnSubscribe(Subscription subscription) {
                  subscription.request(3);
                }

                @Override
                protected void hookOnNext(Long value) {
                  received.add(value);
                  cancel();
                }
              });
    }

    @Actor
    public void evict() {
      home.evict();
    }

    @Arbiter
    public void end(LL_Result result) {
      result.r1 = received + " " + outcome(Probe.of(home.handle.next(), 1));
      result.r2 = home.end();
    }
  }

  /** Two subscriptions find one successor. */
  @JCStressTest
  @Outcome(id = "\\[2\\] \\[3\\], 4 0", expect = ACCEPTABLE)
  @Outcome(id = "\\[3\\] \\[2\\], 4 0", expect = ACCEPTABLE)
  @State
  public static class TwoWhoNeedASuccessor {

    private final Home home = new Home(10);
    private Probe first = Probe.idle();
    private Probe second = Probe.idle();

    @Actor
    public void evictAndTake() {
      home.evict();
      first = Probe.of(home.handle.next(), 1);
    }

    @Actor
    public void take() {
      second = Probe.of(home.generators.get("s").next(), 1);
    }

    @Arbiter
    public void end(LL_Result result) {
      result.r1 = outcome(first) + " " + outcome(second);
      result.r2 = home.end();
    }
  }

  /** Who needs a generator while all are disposed has a value or that error. Nothing is left. */
  @JCStressTest
  @Outcome(id = "\\[1\\] 0", expect = ACCEPTABLE)
  @Outcome(id = ".*SequenceDisposedException.* 0", expect = ACCEPTABLE)
  @State
  public static class NewGeneratorAgainstTheEndOfAll {

    private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("a", 1);
    private final SequenceGenerators generators =
        SequenceGenerators.builder(store).scheduler(new InlineScheduler()).anyName().build();
    private Probe probe = Probe.idle();

    @Actor
    public void take() {
      probe = Probe.of(generators.get("a").next(), 1);
    }

    @Actor
    public void dispose() {
      generators.dispose();
    }

    @Arbiter
    public void end(L_Result result) {
      result.r1 = outcome(probe) + " " + Internals.of(generators).held();
    }
  }
}
