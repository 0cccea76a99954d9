package io.millrace.torture;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

/** A subscriber that records what it receives, requests it a few at a time, and may leave. */
final class Taker<T> extends BaseSubscriber<T> {

  private final int total;
  private final int atATime;
  private final Consumer<T> record;
  private final CountDownLatch end = new CountDownLatch(1);

  /** Elements requested and not received; used on the thread of delivery. */
  private int outstanding;

  /** Elements received; written on the thread of delivery. */
  private volatile int received;

  private volatile @Nullable Throwable failure;

  /**
   * @param total after how many elements it cancels
   * @param atATime how many it requests at a time
   */
  Taker(int total, int atATime, Consumer<T> record) {
    this.total = total;
    this.atATime = atATime;
    this.record = record;
  }

  @Override
  protected void hookOnSubscribe(Subscription subscription) {
    outstanding = atATime;
    request(atATime);
  }

  @Override
  protected void hookOnNext(T element) {
    record.accept(element);
    int count = received + 1;
    received = count;
    if (count >= total) {
      cancel();
    } else if (--outstanding == 0) {
      outstanding = atATime;
      request(atATime);
    }
  }

  @Override
  protected void hookOnError(Throwable error) {
    failure = error;
  }

  @Override
  protected void hookFinally(reactor.core.publisher.SignalType type) {
    end.countDown();
  }

  /** Waits for the end of the subscription, and cancels it after a time. */
  void await(long nanos) throws InterruptedException {
    if (!end.await(nanos, TimeUnit.NANOSECONDS)) {
      cancel();
    }
  }

  int received() {
    return received;
  }

  /** The error that ended the subscription; null if none did. */
  @Nullable Throwable failure() {
    return failure;
  }
}
