package io.millrace.benchmark;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Takes values of whatever is measured, all in the same way, and makes sure of their number: a
 * benchmark that does not do its work fails.
 */
@State(Scope.Thread)
public class Drain {

  private @Nullable Outlet outlet;
  private final One one = new One(this);

  /**
   * Called by JMH.
   *
   * @param blackhole of the thread
   */
  @Setup
  public void open(Blackhole blackhole) {
    into(new BlackholeOutlet(blackhole));
  }

  void into(Outlet outlet) {
    this.outlet = outlet;
  }

  Outlet outlet() {
    if (outlet == null) {
      throw new IllegalStateException("no outlet was opened");
    }
    return outlet;
  }

  /** Requests {@code count} values of a stream, takes them, and cancels it if it goes on. */
  void take(Flux<?> values, long count) {
    Many many = new Many(outlet(), count, count);
    values.subscribe(many);
    many.awaitAll();
  }

  /** Takes a stream of {@code count} values to its end, with unbounded demand. */
  void takeAll(Flux<?> values, long count) {
    Many many = new Many(outlet(), count, Long.MAX_VALUE);
    values.subscribe(many);
    many.awaitAll();
  }

  /** Takes the value of a {@code Mono}. */
  void take(Mono<?> value) {
    One waiting = one;
    waiting.done.setPlain(false);
    value.subscribe(waiting);
    while (!waiting.done.getAcquire()) {
      Thread.onSpinWait();
    }
  }

  /**
   * A subscriber to a stream. Where several threads share a generator another thread may deliver,
   * and this one then waits for it.
   */
  private static final class Many implements CoreSubscriber<Object> {

    private final Outlet outlet;
    private final long count;
    private final long demand;
    private long taken;
    private @Nullable Subscription subscription;
    private volatile @Nullable Throwable failure;
    private volatile boolean isDone;

    Many(Outlet outlet, long count, long demand) {
      this.outlet = outlet;
      this.count = count;
      this.demand = demand;
    }

    @Override
    public void onSubscribe(Subscription s) {
      subscription = s;
      s.request(demand);
    }

    @Override
    public void onNext(Object value) {
      outlet.take(value);
      if (++taken == count && demand == count) {
        isDone = true;
      }
    }

    @Override
    public void onError(Throwable thrown) {
      failure = thrown;
      isDone = true;
    }

    @Override
    public void onComplete() {
      isDone = true;
    }

    void awaitAll() {
      while (!isDone) {
        Thread.onSpinWait();
      }
      if (failure != null || taken != count) {
        throw new IllegalStateException(taken + " values came, not " + count, failure);
      }
      if (demand == count && subscription != null) {
        subscription.cancel();
      }
    }
  }

  /** A subscriber to a single value, used again and again; it keeps its subscription as most do. */
  private static final class One implements CoreSubscriber<Object> {

    private final Drain drain;

    @SuppressWarnings("UnusedVariable") // kept for its cost
    private @Nullable Subscription subscription;

    /** Set without a fence, which would be a part of what is measured. */
    private final AtomicBoolean done = new AtomicBoolean();

    One(Drain drain) {
      this.drain = drain;
    }

    @Override
    public void onSubscribe(Subscription s) {
      subscription = s;
      s.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(Object value) {
      drain.outlet().take(value);
    }

    @Override
    public void onError(Throwable thrown) {
      throw new IllegalStateException("no value came", thrown);
    }

    @Override
    public void onComplete() {
      done.setRelease(true);
    }
  }
}
