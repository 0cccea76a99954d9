package io.millrace;

import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;

/** The values of a handle's generator, with a lease for as long as a subscriber takes them. */
final class LeasedFlux extends Flux<Long> implements Scannable {

  private final GeneratorHandle handle;

  LeasedFlux(GeneratorHandle handle) {
    this.handle = handle;
  }

  /** As users get it, with what their assembly hooks make of it. */
  static Flux<Long> assembled(GeneratorHandle handle) {
    return onAssembly(new LeasedFlux(handle));
  }

  @Override
  public void subscribe(CoreSubscriber<? super Long> actual) {
    LiveGenerator lease;
    try {
      lease = handle.lease();
    } catch (Throwable refused) {
      Operators.error(actual, Operators.onOperatorError(refused, actual.currentContext()));
      return;
    }
    ValuesFlux.of(lease.generator())
        .subscribe(
            actual instanceof RunSubscriber runs
                ? new LeasedRunSubscriber(runs, lease)
                : new LeasedSubscriber<Long>(actual, lease, false));
  }

  @Override
  public @Nullable Object scanUnsafe(Attr key) {
    return LeasedMono.scanSource(handle, key);
  }
}
