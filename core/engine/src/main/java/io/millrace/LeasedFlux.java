package io.millrace;

import io.millrace.internal.StackRoom;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;

/** The values of a handle's generator. Each subscription holds a lease until it ends. */
final class LeasedFlux extends Flux<Long> implements Scannable {

  private final GeneratorHandle handle;

  LeasedFlux(GeneratorHandle handle) {
    this.handle = handle;
  }

  /** Makes the publisher for users, with their assembly hooks applied. */
  static Flux<Long> assembled(GeneratorHandle handle) {
    return onAssembly(new LeasedFlux(handle));
  }

  @Override
  public void subscribe(CoreSubscriber<? super Long> actual) {
    StackRoom.forLeasing();
    LiveGenerator lease = handle.lease();
    if (lease != null) {
      use(lease, actual, null);
    } else {
      handle.<Long>seek(actual, LeasedFlux::use);
    }
  }

  private static void use(
      LiveGenerator lease, CoreSubscriber<? super Long> actual, @Nullable Seek<?> seek) {
    LeasedSubscriber<Long> leased = null;
    try {
      leased =
          actual instanceof RunSubscriber runs
              ? new LeasedRunSubscriber(runs, lease, seek)
              : new LeasedSubscriber<Long>(actual, lease, false, seek);
      ValuesFlux.of(lease.generator()).subscribe(leased);
    } catch (Throwable thrown) {
      LeasedSubscriber.abandon(leased, lease);
      throw thrown;
    }
  }

  @Override
  public @Nullable Object scanUnsafe(Attr key) {
    return LeasedMono.scanSource(handle, key);
  }
}
