package io.millrace.engine;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * A generator by name: notes when it is used, and ends itself when {@link NamedGenerators} asks it
 * to, nobody waits and no reservation is in flight.
 *
 * <p><b>Invariant.</b> The drain loop decides about a retirement, so it is one step for everybody
 * else. The buffer is closed then, and a claim fails as on a spent block. A subscriber that would
 * wait, or has come to the queue meanwhile, goes on with the {@linkplain #successor() generator
 * that the name has now}.
 */
final class NamedGenerator extends BufferedSequenceGenerator {

  @SuppressWarnings("rawtypes") // a class literal has no type arguments
  private static final AtomicReferenceFieldUpdater<NamedGenerator, Sinks.@Nullable Empty> DUE =
      AtomicReferenceFieldUpdater.newUpdater(NamedGenerator.class, Sinks.Empty.class, "due");

  private final NamedGenerators owner;

  /** Completes when the drain loop, which takes it, has decided about a retirement; or null. */
  private volatile Sinks.@Nullable Empty<Void> due;

  /** Written once, by the drain loop, before the shutdown begins. */
  private volatile boolean retired;

  /** The owner's {@linkplain NamedGenerators#now() time} of the latest use. */
  private volatile long lastUse;

  NamedGenerator(GeneratorConfig config, @Nullable Mono<Void> predecessor, NamedGenerators owner) {
    super(config, predecessor);
    this.owner = owner;
  }

  /**
   * Retires it if nobody waits and no reservation is in flight. One that begins at this moment ends
   * as in any shutdown; one whose answer the drain loop has not taken is still in flight.
   *
   * @return completes when that is decided
   */
  Mono<Void> retire() {
    Sinks.Empty<Void> asked = due;
    while (asked == null) {
      Sinks.Empty<Void> mine = Sinks.empty();
      asked = DUE.compareAndSet(this, null, mine) ? mine : due;
    }
    drain();
    return asked.asMono();
  }

  @Override
  protected void drainOnce() {
    Sinks.Empty<Void> asked = due;
    if (asked != null) {
      due = null;
      if (isQuiet()) {
        retired = true;
        startShutdown();
        owner.retired(this);
      }
      asked.tryEmitEmpty();
    }
    super.drainOnce();
  }

  @Override
  boolean isRetired() {
    return retired;
  }

  @Override
  BufferedSequenceGenerator successor() {
    return owner.current(name());
  }

  /**
   * Completes once its values and those of its predecessor are released. Called when it has
   * retired: its drain loop may be about to begin the shutdown.
   */
  Mono<Void> whenGone() {
    return startShutdown();
  }

  long lastUse() {
    return lastUse;
  }

  /** Notes a use, for {@link NamedGenerators} to find the least recently used. */
  @Override
  void noteUse() {
    long now = owner.now();
    if (lastUse != now) {
      lastUse = now;
    }
  }
}
