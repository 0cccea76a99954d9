package io.millrace.engine;

import io.millrace.SequenceBlock;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Ends a generator: empties the buffer, and releases the newest values to the store once no
 * reservation is in flight.
 *
 * <p><b>Invariant.</b> The tail holds only values that were never claimed: the buffer seals each
 * block in one atomic step, and values from the sealed index on are in no claim. It is sent to the
 * store only once: after an unknown outcome another process could hold the same values.
 */
final class Shutdown {

  @SuppressWarnings("rawtypes") // a class literal has no type arguments
  private static final AtomicReferenceFieldUpdater<Shutdown, Sinks.@Nullable Empty> END =
      AtomicReferenceFieldUpdater.newUpdater(Shutdown.class, Sinks.Empty.class, "end");

  private final GeneratorConfig config;
  private final Buffer buffer;
  private final BufferedSequenceGenerator generator;

  /** Completes when all is done; null until the shutdown begins. */
  private volatile Sinks.@Nullable Empty<Void> end;

  // Used by the drain loop only.

  private boolean closed;

  private boolean released;

  /** The newest values, as far as they are consecutive and unclaimed, or null if there is none. */
  private @Nullable SequenceBlock tail;

  Shutdown(GeneratorConfig config, Buffer buffer, BufferedSequenceGenerator generator) {
    this.config = config;
    this.buffer = buffer;
    this.generator = generator;
  }

  boolean hasBegun() {
    return end != null;
  }

  /** Begins the shutdown at the first subscription; each subscription completes when it is done. */
  Mono<Void> begin() {
    return Mono.defer(
        () -> {
          Mono<Void> done = start();
          generator.drain();
          return done;
        });
  }

  /**
   * Notes that the shutdown has begun; the drain loop does the work.
   *
   * @return completes when all is done
   */
  Mono<Void> start() {
    if (end == null) {
      END.compareAndSet(this, null, Sinks.<Void>empty());
    }
    return Objects.requireNonNull(end).asMono();
  }

  /** The reservation in flight was answered after the shutdown began: its block is the newest. */
  void addTail(SequenceBlock newest) {
    close();
    buffer.discardUnclaimed(newest.size());
    tail = buffer.lastOf(tail, newest);
  }

  /** Does the next step that is possible: closes the buffer, then releases the tail. */
  void proceed(boolean reservationInFlight) {
    close();
    if (!reservationInFlight && !released) {
      release(tail);
    }
  }

  private void close() {
    if (!closed) {
      closed = true;
      tail = buffer.close();
    }
  }

  private void release(@Nullable SequenceBlock values) {
    long unclaimed = buffer.unclaimed();
    released = true;
    if (values == null || !config.releasable()) {
      generator.afterPredecessor(() -> end(0, unclaimed));
      return;
    }
    config.release(values).subscribe(isReleased -> end(isReleased ? values.size() : 0, unclaimed));
  }

  /**
   * Reports to the recorders, and then completes the shutdown.
   *
   * @param count how many values were released
   */
  private void end(long count, long unclaimed) {
    if (count > 0) {
      config.metrics().record(to -> to.released(config.sequence(), count));
    }
    if (unclaimed > count) {
      config.metrics().record(to -> to.discarded(config.sequence(), unclaimed - count));
    }
    config.metrics().record(to -> to.closed(generator));
    Objects.requireNonNull(end).tryEmitEmpty();
  }
}
