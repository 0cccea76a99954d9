package io.millrace;

import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Mono;

/** Makes a {@link NextSubscription} for each subscriber. */
final class NextMono extends Mono<Long> implements Scannable {

  private final GeneratorSource source;

  NextMono(GeneratorSource source) {
    this.source = source;
  }

  /** This publisher after Reactor's assembly hooks. */
  Mono<Long> assembled() {
    return onAssembly(this);
  }

  @Override
  public void subscribe(CoreSubscriber<? super Long> actual) {
    source.<Long>subscribe(actual, NextSubscription::new);
  }

  @Override
  public @Nullable Object scanUnsafe(Attr key) {
    return ValuesFlux.scanSource(source, key);
  }
}
