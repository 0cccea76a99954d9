package io.millrace.engine;

import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;

/**
 * Waits for one value: for a subscriber of next() that found none buffered, or for a warmup, which
 * gives the value back, so that the buffer is filled.
 *
 * @param <T> what the subscriber receives: the value, or nothing
 */
final class NextWaiter<T> extends OneShotSubscription<T> implements Claim.ValueSink {

  /** Receives the value; null for a warmup. */
  private final @Nullable CoreSubscriber<? super Long> taker;

  private NextWaiter(
      BufferedSequenceGenerator generator,
      CoreSubscriber<? super T> actual,
      @Nullable CoreSubscriber<? super Long> taker) {
    super(generator, actual);
    this.taker = taker;
  }

  static NextWaiter<Long> value(
      BufferedSequenceGenerator generator, CoreSubscriber<? super Long> actual) {
    return new NextWaiter<>(generator, actual, actual);
  }

  static NextWaiter<Void> warmup(
      BufferedSequenceGenerator generator, CoreSubscriber<? super Void> actual) {
    return new NextWaiter<>(generator, actual, null);
  }

  @Override
  boolean use() {
    boolean open = moveTo(RUNNING, DONE);
    if (open && taker != null) {
      issueTo(this);
    } else {
      giveBackAll();
    }
    if (open) {
      actual.onComplete();
    }
    return true;
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void accept(long value) {
    if (taker != null) {
      taker.onNext(value);
    }
  }

  @Override
  long unmet() {
    return 1;
  }

  /** A warmup keeps no value. With a limit of no waiters, only a warmup can fill the buffer. */
  @Override
  boolean mayExceedLimit() {
    return taker == null;
  }
}
