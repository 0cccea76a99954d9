package io.millrace.engine;

import io.millrace.SequenceGeneratorSnapshot;
import io.millrace.internal.LogSafe;
import java.lang.ref.WeakReference;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A generator by name: remembers the one it used last, and asks for another when that has retired.
 */
final class GeneratorHandle implements GeneratorSource {

  private static final WeakReference<@Nullable NamedGenerator> NONE = new WeakReference<>(null);

  private final String name;
  private final NamedGenerators owner;
  private final SequenceMono<Long> next = new SequenceMono<Long>(this, NextSubscription::new);

  /** Weak, so that a handle does not keep a retired generator in memory. */
  private volatile WeakReference<@Nullable NamedGenerator> last = NONE;

  GeneratorHandle(String name, NamedGenerators owner) {
    this.name = name;
    this.owner = owner;
  }

  @Override
  public NamedGenerator current() {
    NamedGenerator current = last.get();
    if (current == null || current.isRetired()) {
      current = owner.current(name);
      last = new WeakReference<>(current);
    }
    current.noteUse();
    return current;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Mono<Long> next() {
    return next.assembled();
  }

  @Override
  public Mono<Void> warmup() {
    return Mono.defer(() -> current().warmup());
  }

  /** The snapshot of a generator that does not exist. */
  static SequenceGeneratorSnapshot unused(String name, boolean disposed) {
    return new SequenceGeneratorSnapshot(
        name, 0, 0, 0, 0, 0, 0, 0, 0, false, null, false, disposed, OptionalLong.empty());
  }

  @Override
  public SequenceGeneratorSnapshot snapshot() {
    NamedGenerator current = owner.find(name);
    return current != null ? current.snapshot() : unused(name, isDisposed());
  }

  @Override
  public Mono<Void> disposeLater() {
    return owner.evict(name);
  }

  @Override
  public boolean isDisposed() {
    return owner.isClosing();
  }

  @Override
  public String toString() {
    return "SequenceGenerator[" + LogSafe.name(name) + "]";
  }
}
