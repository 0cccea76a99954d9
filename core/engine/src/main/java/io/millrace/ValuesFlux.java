package io.millrace;

import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;

/** Makes a {@link ValuesSubscription} for each subscriber. */
final class ValuesFlux extends Flux<Long> implements Scannable {

  private final BufferedSequenceGenerator generator;

  ValuesFlux(BufferedSequenceGenerator generator) {
    this.generator = generator;
  }

  /** Without assembly hooks, so a {@link RunSubscriber} receives runs. */
  static Flux<Long> of(SequenceGenerator generator) {
    return generator instanceof BufferedSequenceGenerator own
        ? new ValuesFlux(own)
        : generator.values();
  }

  /** Returns this with Reactor's assembly hooks applied. */
  Flux<Long> assembled() {
    return onAssembly(this);
  }

  @Override
  public void subscribe(CoreSubscriber<? super Long> actual) {
    actual.onSubscribe(new ValuesSubscription(generator, actual));
  }

  @Override
  public @Nullable Object scanUnsafe(Attr key) {
    return scanSource(generator, key);
  }

  /** The attributes that all publishers of a generator have in common. */
  static @Nullable Object scanSource(BufferedSequenceGenerator generator, Attr<?> key) {
    if (key == Attr.PARENT) {
      return generator;
    }
    if (key == Attr.NAME) {
      return generator.name();
    }
    if (key == Attr.RUN_STYLE) {
      return Attr.RunStyle.ASYNC;
    }
    return null;
  }
}
