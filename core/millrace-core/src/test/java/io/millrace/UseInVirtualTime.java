package io.millrace;

import java.time.Duration;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Takes values one by one from a generator as virtual time passes, and keeps accounts. */
final class UseInVirtualTime implements CoreSubscriber<Long> {

  private final SequenceGenerator generator;
  private final VirtualTimeScheduler time;

  private long waiting;

  /** Values taken, and times in which somebody waited without a break. */
  long taken;

  long stalls;

  /** The most that was buffered, and the sum over time in values times nanoseconds. */
  long mostBuffered;

  private double bufferedNanos;
  private double nanos;

  UseInVirtualTime(SequenceGenerator generator, VirtualTimeScheduler time) {
    this.generator = generator;
    this.time = time;
  }

  /** Forgets the accounts, but for those who wait. */
  UseInVirtualTime restart() {
    taken = 0;
    stalls = 0;
    mostBuffered = 0;
    bufferedNanos = 0;
    nanos = 0;
    return this;
  }

  void take() {
    boolean stalled = waiting > 0;
    waiting++;
    generator.next().subscribe(this);
    if (waiting > 0 && !stalled) {
      stalls++;
    }
  }

  void pass(long span) {
    long buffered = generator.snapshot().buffered();
    mostBuffered = Math.max(mostBuffered, buffered);
    bufferedNanos += (double) buffered * span;
    nanos += span;
    time.advanceTimeBy(Duration.ofNanos(span));
  }

  /** Takes that many values a second, evenly. */
  UseInVirtualTime atRate(double perSecond, Duration duration) {
    long gap = (long) (1e9 / perSecond);
    for (long left = duration.toNanos(); left > 0; left -= gap) {
      take();
      pass(gap);
    }
    return this;
  }

  double meanBuffered() {
    return bufferedNanos / nanos;
  }

  boolean isWaiting() {
    return waiting > 0;
  }

  @Override
  public void onSubscribe(Subscription subscription) {
    subscription.request(1);
  }

  @Override
  public void onNext(Long value) {
    waiting--;
    taken++;
  }

  @Override
  public void onError(Throwable failure) {
    throw new AssertionError("no value", failure);
  }

  @Override
  public void onComplete() {}
}
