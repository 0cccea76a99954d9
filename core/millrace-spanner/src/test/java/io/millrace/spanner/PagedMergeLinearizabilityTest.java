package io.millrace.spanner;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import io.millrace.internal.ShownText;
import io.millrace.spanner.PagedMerge.Bounds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Lets a subscriber request and cancel a merge of two sources while their pages come, in the
 * interleavings that Lincheck chooses. After each, every element that was read is emitted or
 * discarded once, and the emitted ones rise. The system properties {@code lincheck.scenarios} and
 * {@code lincheck.interleavings} set how many are tried.
 */
@Tag("long")
public class PagedMergeLinearizabilityTest {

  private static final int SOURCES = 2;
  private static final int PAGE = 2;

  /** The elements of source 0 are even, those of source 1 are odd. Each source has two pages. */
  private final HeldSource[] sources = {new HeldSource(0), new HeldSource(1)};

  private final Collector collector = new Collector();

  /** The first operation subscribes: at the start, Lincheck reads all fields that it can reach. */
  private Subscription begun() {
    if (collector.subscription == null) {
      new PagedMerge<Integer>(
              (source, last, size) -> sources[source].page(),
              Comparator.<Integer>naturalOrder(),
              new Bounds(SOURCES, PAGE, SOURCES, Long.MAX_VALUE))
          .subscribe(collector);
      Objects.requireNonNull(collector.subscription).request(3);
    }
    return Objects.requireNonNull(collector.subscription);
  }

  /** A source whose pages come when the test lets them. One page at a time is under way. */
  private static final class HeldSource {

    private int next;
    private long read;
    private volatile @Nullable Subscriber<? super List<Integer>> waiting;

    HeldSource(int first) {
      next = first;
    }

    Mono<List<Integer>> page() {
      return Mono.from(
          subscriber -> {
            subscriber.onSubscribe(Operators.emptySubscription());
            waiting = subscriber;
          });
    }

    void answer() {
      Subscriber<? super List<Integer>> subscriber = waiting;
      if (subscriber != null) {
        waiting = null;
        List<Integer> page = new ArrayList<>();
        for (int i = 0; i < PAGE; i++) {
          page.add(next);
          read |= 1L << next;
          next += SOURCES;
        }
        subscriber.onNext(page);
        subscriber.onComplete();
      }
    }
  }

  private static final class Collector implements CoreSubscriber<Integer> {

    private volatile @Nullable Subscription subscription;
    private long emitted;
    private long discarded;
    private int last = -1;
    private boolean inOrder = true;
    private boolean twice;

    @Override
    public Context currentContext() {
      return Operators.enableOnDiscard(Context.empty(), element -> discard((Integer) element));
    }

    private synchronized void discard(int element) {
      twice |= (discarded & 1L << element) != 0;
      discarded |= 1L << element;
    }

    @Override
    public void onSubscribe(Subscription merge) {
      subscription = merge;
    }

    @Override
    public void onNext(Integer element) {
      inOrder &= element > last;
      last = element;
      emitted |= 1L << element;
    }

    @Override
    public void onError(Throwable failure) {
      throw new IllegalStateException(failure);
    }

    @Override
    public void onComplete() {}
  }

  @Operation(nonParallelGroup = "subscriber")
  public void request() {
    begun().request(3);
  }

  @Operation(nonParallelGroup = "subscriber")
  public void cancel() {
    begun().cancel();
  }

  @Operation(nonParallelGroup = "first source")
  public void answerFirst() {
    begun();
    sources[0].answer();
  }

  @Operation(nonParallelGroup = "second source")
  public void answerSecond() {
    begun();
    sources[1].answer();
  }

  /** What holds when no operation runs. Cancels the merge. */
  @Validate
  public void check() {
    begun().cancel();
    check(collector.inOrder, "not in order");
    check(!collector.twice, "discarded twice");
    check((collector.emitted & collector.discarded) == 0, "emitted and discarded");
    check(
        (collector.emitted | collector.discarded) == (sources[0].read | sources[1].read),
        "neither emitted nor discarded");
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }

  @Test
  void everyElementIsEmittedOrDiscardedOnce() {
    new ModelCheckingOptions()
        .threads(2)
        .actorsPerThread(2)
        .actorsBefore(1)
        .actorsAfter(0)
        .addGuarantee(forClasses("io.millrace.internal.SerialDrain").methods("descend").ignore())
        .addGuarantee(forClasses(ShownText.class.getName()).allMethods().ignore())
        .iterations(Integer.getInteger("lincheck.scenarios", 6))
        .invocationsPerIteration(Integer.getInteger("lincheck.interleavings", 60))
        .check(getClass());
  }
}
