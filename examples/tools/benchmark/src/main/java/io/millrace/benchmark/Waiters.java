package io.millrace.benchmark;

import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;

/**
 * The cost of a value while many clients wait for next(). A client that receives its value
 * subscribes again at once, and is then the last in line. Each reservation provides {@value #BLOCK}
 * values, however long the line is. One operation is one value, including its share of the
 * reservation.
 */
@State(Scope.Thread)
public class Waiters {

  static final int VALUES = 10_000;

  /** Fewer than the waiters in the shortest line, so the line is never empty. */
  private static final int BLOCK = 5;

  @Param({"10", "1000", "10000"})
  public int waiters = 10;

  private final HeldStore store = new HeldStore();
  private final SequenceGenerator generator = Engines.forWaiters(store, BLOCK);
  private @Nullable Outlet outlet;
  private long taken;

  @Setup
  public void fillTheLine() {
    for (int i = 0; i < waiters; i++) {
      new Client().ask();
    }
  }

  @Benchmark
  @OperationsPerInvocation(VALUES)
  public void next(ValueTaker taker) {
    outlet = taker.outlet();
    taken = 0;
    for (int i = 0; i < VALUES / BLOCK; i++) {
      store.answer();
    }
    if (taken != VALUES || generator.snapshot().waiters() != waiters) {
      throw new IllegalStateException(taken + " values came, not " + VALUES);
    }
  }

  /** Takes one value after the other. */
  private final class Client implements CoreSubscriber<Long> {

    void ask() {
      generator.next().subscribe(this);
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(Long value) {
      taken++;
      if (outlet != null) {
        outlet.take(value);
      }
    }

    @Override
    public void onError(Throwable failure) {
      throw new IllegalStateException("no value came", failure);
    }

    @Override
    public void onComplete() {
      ask();
    }
  }

  /** Holds each reservation until the benchmark calls {@link #answer}. */
  private static final class HeldStore implements SequenceStore {

    private long next = 1;
    private @Nullable CoreSubscriber<? super SequenceBlock> pending;
    private long size;

    void answer() {
      CoreSubscriber<? super SequenceBlock> answered = pending;
      if (answered == null) {
        throw new IllegalStateException("no reservation is in flight");
      }
      pending = null;
      SequenceBlock block = SequenceBlock.of(next, size);
      next += size;
      answered.onNext(block);
      answered.onComplete();
    }

    @Override
    public Mono<SequenceBlock> reserve(ReservationRequest request) {
      return new Mono<>() {
        @Override
        public void subscribe(CoreSubscriber<? super SequenceBlock> actual) {
          pending = actual;
          HeldStore.this.size = request.size();
        }
      };
    }

    @Override
    public Mono<Void> create(String sequence, long startValue) {
      return Mono.empty();
    }

    @Override
    public Mono<SequenceState> state(String sequence) {
      return Mono.fromSupplier(() -> new SequenceState(sequence, next));
    }

    @Override
    public boolean isOrdered() {
      return true;
    }

    @Override
    public boolean isReleasable() {
      return false;
    }
  }
}
