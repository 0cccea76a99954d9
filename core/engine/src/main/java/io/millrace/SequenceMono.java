package io.millrace;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Mono;

/**
 * Makes a subscription for each subscriber; the subscription does the work.
 *
 * @param <T> what a subscriber receives
 */
final class SequenceMono<T> extends Mono<T> implements Scannable {

  private final BufferedSequenceGenerator generator;
  private final Factory<T> factory;

  SequenceMono(BufferedSequenceGenerator generator, Factory<T> factory) {
    this.generator = generator;
    this.factory = factory;
  }

  /** This publisher after Reactor's assembly hooks. */
  Mono<T> assembled() {
    return onAssembly(this);
  }

  @Override
  public void subscribe(CoreSubscriber<? super T> actual) {
    actual.onSubscribe(factory.subscription(generator, actual));
  }

  @Override
  public @Nullable Object scanUnsafe(Attr key) {
    return ValuesFlux.scanSource(generator, key);
  }

  /** Makes the subscription of one subscriber. */
  interface Factory<T> {
    Subscription subscription(
        BufferedSequenceGenerator generator, CoreSubscriber<? super T> actual);
  }
}
