package io.millrace;

import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Mono;

/**
 * One value of a handle's generator. A buffered value needs no lease: the claim is one step, and
 * gets nothing if the generator has been closed. So a subscriber takes a lease only if it has to
 * wait, or if there is no generator.
 */
final class NamedNextMono extends Mono<Long> implements Scannable {

  private final GeneratorHandle handle;

  private NamedNextMono(GeneratorHandle handle) {
    this.handle = handle;
  }

  /** Makes the publisher for users, with their assembly hooks applied. */
  static Mono<Long> assembled(GeneratorHandle handle) {
    return onAssembly(new NamedNextMono(handle));
  }

  @Override
  public void subscribe(CoreSubscriber<? super Long> actual) {
    LiveGenerator current = handle.current();
    BufferedSequenceGenerator generator = current == null ? null : current.generatorOrNull();
    if (current == null || generator == null) {
      LeasedMono.next(handle).subscribe(actual);
    } else {
      actual.onSubscribe(new NamedNextSubscription(handle, current, generator, actual));
    }
  }

  @Override
  public @Nullable Object scanUnsafe(Attr key) {
    return LeasedMono.scanSource(handle, key);
  }
}
