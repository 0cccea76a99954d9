package io.millrace.benchmark;

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
 * Takes the values of every benchmark in the same way, and checks their number. A benchmark that
 * does not do its work fails.
 */
@State(Scope.Thread)
public class ValueTaker {

  private @Nullable Outlet outlet;
  private final One one = new One(this);

  /**
   * Called by JMH.
   *
   * @param blackhole the thread's
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
    one.take(value);
  }

  /** A subscriber to a stream. */
  private static final class Many implements CoreSubscriber<Object> {

    private final Outlet outlet;
    private final long count;
    private final long demand;
    private final Completion completion = new Completion();
    private long taken;
    private @Nullable Subscription subscription;
    private @Nullable Throwable failure;

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
        completion.end();
      }
    }

    @Override
    public void onError(Throwable thrown) {
      failure = thrown;
      completion.end();
    }

    @Override
    public void onComplete() {
      completion.end();
    }

    void awaitAll() {
      completion.await();
      if (failure != null || taken != count) {
        throw new IllegalStateException(taken + " values came, not " + count, failure);
      }
      if (demand == count && subscription != null) {
        subscription.cancel();
      }
    }
  }

  /** A reusable subscriber to a single value. It keeps its subscription, as most subscribers do. */
  private static final class One implements CoreSubscriber<Object> {

    private final ValueTaker taker;
    private final Completion completion = new Completion();

    @SuppressWarnings("UnusedVariable") // kept for its cost
    private @Nullable Subscription subscription;

    private boolean hasTaken;
    private @Nullable Throwable failure;

    One(ValueTaker taker) {
      this.taker = taker;
    }

    void take(Mono<?> value) {
      hasTaken = false;
      completion.reset();
      value.subscribe(this);
      completion.await();
      if (!hasTaken) {
        throw new IllegalStateException("no value came", failure);
      }
    }

    @Override
    public void onSubscribe(Subscription s) {
      subscription = s;
      s.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(Object value) {
      hasTaken = true;
      taker.outlet().take(value);
    }

    @Override
    public void onError(Throwable thrown) {
      failure = thrown;
      completion.end();
    }

    @Override
    public void onComplete() {
      completion.end();
    }
  }
}
