package io.millrace.engine;

import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Mono;

/**
 * Makes a subscription for each subscriber; the subscription does the work.
 *
 * @param <T> what a subscriber receives
 */
final class SequenceMono<T> extends Mono<T> implements Scannable {

  private final GeneratorSource source;
  private final GeneratorSource.SubscriptionFactory<T> factory;

  SequenceMono(GeneratorSource source, GeneratorSource.SubscriptionFactory<T> factory) {
    this.source = source;
    this.factory = factory;
  }

  /** This publisher after Reactor's assembly hooks. */
  Mono<T> assembled() {
    return onAssembly(this);
  }

  @Override
  public void subscribe(CoreSubscriber<? super T> actual) {
    source.subscribe(actual, factory);
  }

  @Override
  public @Nullable Object scanUnsafe(Attr key) {
    return ValuesFlux.scanSource(source, key);
  }
}
