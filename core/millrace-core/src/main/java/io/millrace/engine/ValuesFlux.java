package io.millrace.engine;

import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;

/** Makes a {@link ValuesSubscription} for each subscriber. */
final class ValuesFlux extends Flux<Long> implements Scannable {

  private final GeneratorSource source;

  ValuesFlux(GeneratorSource source) {
    this.source = source;
  }

  /** This publisher after Reactor's assembly hooks. */
  Flux<Long> assembled() {
    return onAssembly(this);
  }

  @Override
  public void subscribe(CoreSubscriber<? super Long> actual) {
    source.<Long>subscribe(actual, ValuesSubscription::new);
  }

  @Override
  public @Nullable Object scanUnsafe(Attr key) {
    return scanSource(source, key);
  }

  /** The attributes that all publishers of a sequence have. */
  static @Nullable Object scanSource(GeneratorSource source, Attr<?> key) {
    if (key == Attr.PARENT) {
      return source;
    }
    if (key == Attr.NAME) {
      return source.name();
    }
    if (key == Attr.RUN_STYLE) {
      return Attr.RunStyle.ASYNC;
    }
    return null;
  }
}
