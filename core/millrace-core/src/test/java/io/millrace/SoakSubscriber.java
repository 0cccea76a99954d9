package io.millrace;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.util.context.Context;

/** Takes what it asks for, until it leaves. */
final class SoakSubscriber extends BaseSubscriber<Object> {

  private final Queue<Long> received = new ConcurrentLinkedQueue<>();
  private final AtomicInteger terminations = new AtomicInteger();

  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  /** Leaves from within the signal that makes this negative. */
  private final AtomicInteger leaveAfter = new AtomicInteger(Integer.MAX_VALUE);

  private SoakSubscriber() {}

  static SoakSubscriber toNext(SequenceGenerator generator) {
    SoakSubscriber subscriber = new SoakSubscriber();
    generator.next().subscribe(subscriber);
    return subscriber;
  }

  static SoakSubscriber toList(SequenceGenerator generator, int count) {
    SoakSubscriber subscriber = new SoakSubscriber();
    generator.next(count).subscribe(subscriber);
    return subscriber;
  }

  static SoakSubscriber toValues(SequenceGenerator generator) {
    SoakSubscriber subscriber = new SoakSubscriber();
    generator.values().subscribe(subscriber);
    return subscriber;
  }

  void ask(long n) {
    request(n);
  }

  void leave() {
    cancel();
  }

  void leaveAfter(int values) {
    leaveAfter.set(values);
  }

  /** Waits for a value or an error, so that the operations do not outrun the store. */
  SoakSubscriber awaitEnd() {
    ended.join();
    return this;
  }

  Queue<Long> received() {
    return received;
  }

  int terminations() {
    return terminations.get();
  }

  /** An error that comes as it leaves is no news. */
  @Override
  public Context currentContext() {
    Consumer<Throwable> ignoring = dropped -> {};
    return Context.of("reactor.onErrorDropped.local", ignoring);
  }

  @Override
  protected void hookOnSubscribe(Subscription subscription) {
    subscription.request(1);
  }

  @Override
  protected void hookOnNext(Object value) {
    if (value instanceof Long one) {
      received.add(one);
    } else {
      ((List<?>) value).forEach(each -> received.add((Long) each));
    }
    if (leaveAfter.decrementAndGet() < 0) {
      cancel();
    }
  }

  @Override
  protected void hookOnComplete() {
    terminations.incrementAndGet();
    ended.complete(null);
  }

  @Override
  protected void hookOnError(Throwable failure) {
    terminations.incrementAndGet();
    ended.complete(null);
  }
}
