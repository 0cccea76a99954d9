package io.millrace.benchmark;

import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;

/**
 * {@code Flux.range} for longs: the limit for a source of boxed longs. It shares nothing, supports
 * only unbounded demand, and checks for a cancel between values.
 */
final class LongRange extends Flux<Long> {

  private final long first;
  private final long count;

  LongRange(long first, long count) {
    this.first = first;
    this.count = count;
  }

  @Override
  public void subscribe(CoreSubscriber<? super Long> actual) {
    actual.onSubscribe(new Loop(actual, first, first + count));
  }

  private static final class Loop implements Subscription {

    private final CoreSubscriber<? super Long> actual;
    private final long first;
    private final long end;
    private volatile boolean cancelled;

    Loop(CoreSubscriber<? super Long> actual, long first, long end) {
      this.actual = actual;
      this.first = first;
      this.end = end;
    }

    @Override
    public void request(long n) {
      for (long value = first; value != end; value++) {
        if (cancelled) {
          return;
        }
        actual.onNext(value);
      }
      actual.onComplete();
    }

    @Override
    public void cancel() {
      cancelled = true;
    }
  }
}
