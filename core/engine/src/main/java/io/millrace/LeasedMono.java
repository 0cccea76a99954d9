package io.millrace;

import io.millrace.internal.StackRoom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Mono;

/**
 * A {@code Mono} of a handle's generator. Each subscription holds a lease until it ends.
 *
 * @param <T> what a subscriber receives
 */
final class LeasedMono<T> extends Mono<T> implements Scannable {

  private final GeneratorHandle handle;
  private final Function<SequenceGenerator, Mono<T>> source;

  private LeasedMono(GeneratorHandle handle, Function<SequenceGenerator, Mono<T>> source) {
    this.handle = handle;
    this.source = source;
  }

  /** Makes the publisher for users, with their assembly hooks applied. */
  static <T> Mono<T> assembled(
      GeneratorHandle handle, Function<SequenceGenerator, Mono<T>> source) {
    return onAssembly(new LeasedMono<>(handle, source));
  }

  /** The next value, for a subscriber that has to wait. No assembly hooks are applied. */
  static Mono<Long> next(GeneratorHandle handle) {
    return new LeasedMono<>(handle, SequenceGenerator::next);
  }

  @Override
  public void subscribe(CoreSubscriber<? super T> actual) {
    StackRoom.forLeasing();
    LiveGenerator lease = handle.lease();
    if (lease != null) {
      use(lease, actual, null);
    } else {
      handle.<T>seek(actual, this::use);
    }
  }

  private void use(LiveGenerator lease, CoreSubscriber<? super T> actual, @Nullable Seek<?> seek) {
    LeasedSubscriber<T> leased = null;
    try {
      leased = new LeasedSubscriber<T>(actual, lease, true, seek);
      source.apply(lease.generator()).subscribe(leased);
    } catch (Throwable thrown) {
      LeasedSubscriber.abandon(leased, lease);
      throw thrown;
    }
  }

  @Override
  public @Nullable Object scanUnsafe(Attr key) {
    return scanSource(handle, key);
  }

  /** The attributes that all publishers of a handle have. */
  static @Nullable Object scanSource(GeneratorHandle handle, Scannable.Attr<?> key) {
    if (key == Scannable.Attr.NAME) {
      return handle.name();
    }
    if (key == Scannable.Attr.RUN_STYLE) {
      return Scannable.Attr.RunStyle.ASYNC;
    }
    return null;
  }
}
