package io.millrace;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The generator of a name, whichever object is that at the moment. It remembers the one it used
 * last, and asks for another when that is retired.
 */
final class GeneratorHandle implements SequenceGenerator {

  private final String name;
  private final LiveGenerators generators;
  private final Supplier<SequenceGeneratorBuilder> options;

  /** The one used last, by any thread; null before the first use. It may be retired. */
  private volatile @Nullable LiveGenerator used;

  private volatile boolean disposed;

  GeneratorHandle(
      String name, LiveGenerators generators, Supplier<SequenceGeneratorBuilder> options) {
    this.name = name;
    this.generators = generators;
    this.options = options;
  }

  /** Leases the generator for one subscription. */
  LiveGenerator lease() {
    if (disposed) {
      throw new SequenceDisposedException(name);
    }
    LiveGenerator last = used;
    if (last != null && last.lease()) {
      return last;
    }
    LiveGenerator current = generators.lease(name, options);
    used = current;
    return current;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Mono<Long> next() {
    return LeasedMono.assembled(this, SequenceGenerator::next);
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
    SequenceGeneratorSnapshot current = generators.snapshot(name);
    return current != null
        ? current
        : new SequenceGeneratorSnapshot(
            name, 0, 0, 0, 0, 0, 0, 0, 0, false, null, false, isDisposed());
  }

  @Override
  public Mono<Void> disposeLater() {
    return Mono.defer(
        () -> {
          disposed = true;
          return generators.evict(name);
        });
  }

  @Override
  public boolean isDisposed() {
    return disposed || generators.isClosing();
  }

  @Override
  public String toString() {
    return "SequenceGenerator[" + name + "]";
  }
}
