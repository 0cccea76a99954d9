package io.millrace;

import io.millrace.internal.ShownText;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A generator by name. Behind it is the {@link LiveGenerator} that the name has at the moment. The
 * handle remembers the one it used last, and looks for another when that one is retired.
 */
final class GeneratorHandle implements SequenceGenerator {

  private final String name;
  private final SequenceGenerators owner;

  /** The one that a thread used last; null before the first use. It may be retired. */
  private volatile @Nullable LiveGenerator lastUsed;

  private volatile boolean disposed;

  GeneratorHandle(String name, SequenceGenerators owner, @Nullable LiveGenerator current) {
    this.name = name;
    this.owner = owner;
    this.lastUsed = current;
  }

  /** Leases the generator for one subscription. Returns null if there is none: {@link #seek}. */
  @Nullable LiveGenerator lease() {
    LiveGenerator last = lastUsed;
    if (last != null && !disposed && last.lease()) {
      return last;
    }
    LiveGenerator current = disposed ? null : owner.live().lease(name);
    if (current != null) {
      lastUsed = current; // a plain write: a call could overflow the stack, and leak the lease
    }
    return current;
  }

  /** The generator, without a lease; null if there is none, or if this handle is disposed. */
  @Nullable LiveGenerator current() {
    if (disposed) {
      return null;
    }
    LiveGenerator last = lastUsed;
    if (last == null || last.isRetired()) {
      last = owner.live().find(name);
      lastUsed = last;
    }
    return last;
  }

  /** A new handle of the same name, which is not disposed with this one. */
  GeneratorHandle copy() {
    return new GeneratorHandle(name, owner, lastUsed);
  }

  /** Passes the subscriber to a generator as soon as one is available, or signals an error. */
  <T> void seek(CoreSubscriber<? super T> actual, Seek.LeaseAction<T> action) {
    if (disposed) {
      Seek.refuse(actual, new SequenceDisposedException(name));
      return;
    }
    owner
        .live()
        .seek(
            name,
            () -> owner.configured(name),
            actual,
            (lease, subscriber, seek) -> {
              lastUsed = lease;
              action.use(lease, subscriber, seek);
            });
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Mono<Long> next() {
    return NamedNextMono.assembled(this);
  }

  @Override
  public Mono<List<Long>> next(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("count must be 1 or more, was " + count);
    }
    return LeasedMono.assembled(this, generator -> generator.next(count));
  }

  @Override
  public Flux<Long> values() {
    return LeasedFlux.assembled(this);
  }

  @Override
  public <T, R> Function<Flux<T>, Flux<R>> assign(
      ObjLongFunction<? super T, ? extends R> assigner) {
    return AssignFlux.operator(new LeasedFlux(this), assigner);
  }

  @Override
  public Mono<Void> warmup() {
    return LeasedMono.assembled(this, SequenceGenerator::warmup);
  }

  @Override
  public SequenceGeneratorSnapshot snapshot() {
    SequenceGeneratorSnapshot current = owner.live().snapshot(name);
    return current != null
        ? current
        : SequenceGeneratorSnapshot.builder(name).disposed(isDisposed()).build();
  }

  @Override
  public Mono<Void> disposeLater() {
    return Mono.defer(
        () -> {
          disposed = true;
          return owner.live().evict(name);
        });
  }

  @Override
  public boolean isDisposed() {
    return disposed || owner.isDisposed();
  }

  @Override
  public String toString() {
    return "SequenceGenerator[" + ShownText.name(name) + "]";
  }
}
