package io.millrace;

import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Mono;

/** Makes a {@link NextSubscription} for each subscriber. */
final class NextMono extends Mono<Long> implements Scannable {

  private final BufferedSequenceGenerator generator;

  NextMono(BufferedSequenceGenerator generator) {
    this.generator = generator;
  }

  /** Returns this with Reactor's assembly hooks applied. */
  Mono<Long> assembled() {
    return onAssembly(this);
  }

  @Override
  public void subscribe(CoreSubscriber<? super Long> actual) {
    actual.onSubscribe(new NextSubscription(generator, actual));
  }

  @Override
  public @Nullable Object scanUnsafe(Attr key) {
    return ValuesFlux.scanSource(generator, key);
  }
}
