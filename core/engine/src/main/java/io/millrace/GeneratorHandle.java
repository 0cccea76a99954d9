package io.millrace;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The generator of a name, whichever object is that at the moment. It remembers the one it used
 * last, and asks for another when that is retired.
 */
final class GeneratorHandle implements SequenceGenerator {

  private final String name;
  private final SequenceGenerators home;

  /** The one used last, by any thread; null before the first use. It may be retired. */
  private volatile @Nullable LiveGenerator used;

  private volatile boolean disposed;

  GeneratorHandle(String name, SequenceGenerators home, @Nullable LiveGenerator current) {
    this.name = name;
    this.home = home;
    this.used = current;
  }

  /** Leases the generator for one subscription; null if one has to be sought. */
  @Nullable LiveGenerator lease() {
    LiveGenerator last = used;
    if (last != null && !disposed && last.lease()) {
      return last;
    }
    LiveGenerator current = disposed ? null : home.live().lease(name);
    if (current != null) {
      used = current; // no call that could overflow, now that it is leased
    }
    return current;
  }

  /** The generator, without a lease; null if there is none, or this handle is disposed. */
  @Nullable LiveGenerator current() {
    if (disposed) {
      return null;
    }
    LiveGenerator last = used;
    if (last == null || last.isRetired()) {
      last = home.live().find(name);
      used = last;
    }
    return last;
  }

  /** A handle of the same name that nobody disposes. */
  GeneratorHandle again() {
    return new GeneratorHandle(name, home, used);
  }

  /** Has a subscriber use a generator when there is one for it, or fail. */
  <T> void seek(CoreSubscriber<? super T> actual, Seek.Lessee<T> lessee) {
    if (disposed) {
      Seek.refuse(actual, new SequenceDisposedException(name));
      return;
    }
    home.live()
        .seek(
            name,
            () -> home.configured(name),
            actual,
            (lease, subscriber, sought) -> {
              used = lease;
              lessee.use(lease, subscriber, sought);
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
    SequenceGeneratorSnapshot current = home.live().snapshot(name);
    return current != null
        ? current
        : SequenceGeneratorSnapshot.builder(name).disposed(isDisposed()).build();
  }

  @Override
  public Mono<Void> disposeLater() {
    return Mono.defer(
        () -> {
          disposed = true;
          return home.live().evict(name);
        });
  }

  @Override
  public boolean isDisposed() {
    return disposed || home.isDisposed();
  }

  @Override
  public String toString() {
    return "SequenceGenerator[" + name + "]";
  }
}
