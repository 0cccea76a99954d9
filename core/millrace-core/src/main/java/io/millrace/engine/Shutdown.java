package io.millrace.engine;

import io.millrace.SequenceBlock;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Consumer;
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

  private static final AtomicReferenceFieldUpdater<Shutdown, @Nullable End> END =
      AtomicReferenceFieldUpdater.newUpdater(Shutdown.class, End.class, "end");

  /**
   * Who waits for the end. The engine's own subscribers come first: one of a user's may throw, and
   * then a sink tells the others nothing.
   */
  private static final class End {

    private final Sinks.Empty<Void> own = Sinks.empty();
    private final Sinks.Empty<Void> users = Sinks.empty();

    void reached() {
      try {
        own.tryEmitEmpty();
      } finally {
        users.tryEmitEmpty();
      }
    }
  }

  private static final AtomicIntegerFieldUpdater<Shutdown> FINISHED =
      AtomicIntegerFieldUpdater.newUpdater(Shutdown.class, "finished");

  private final GeneratorConfig config;
  private final @Nullable Bulkhead bulkhead;
  private final Buffer buffer;
  private final BufferedSequenceGenerator generator;

  /** Reached when all is done; null until the shutdown begins. */
  private volatile @Nullable End end;

  /** 1 once the outcome of the release is known. */
  private volatile int finished;

  /** The three below are used by the drain loop only. */
  private boolean closed;

  private boolean released;

  /** The newest values, as far as they are consecutive and unclaimed, or null if there is none. */
  private @Nullable SequenceBlock tail;

  Shutdown(
      GeneratorConfig config,
      @Nullable Bulkhead bulkhead,
      Buffer buffer,
      BufferedSequenceGenerator generator) {
    this.config = config;
    this.bulkhead = bulkhead;
    this.buffer = buffer;
    this.generator = generator;
  }

  boolean hasBegun() {
    return end != null;
  }

  /**
   * Begins the shutdown at the first subscription; each subscription completes when it is done.
   * Each enters the drain loop: an error of the virtual machine may have broken an earlier run off.
   */
  Mono<Void> begin() {
    return Mono.defer(
        () -> {
          start();
          generator.drain();
          return Objects.requireNonNull(end).users.asMono();
        });
  }

  /**
   * Notes that the shutdown has begun; the drain loop does the work.
   *
   * @return completes when all is done; for subscribers of the engine, which do not throw
   */
  Mono<Void> start() {
    if (end == null) {
      END.compareAndSet(this, null, new End());
    }
    return Objects.requireNonNull(end).own.asMono();
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
      end(0, unclaimed);
      return;
    }
    Admission admission = null;
    try {
      if (bulkhead == null) {
        send(null, values, unclaimed);
      } else {
        admission =
            new Admission(bulkhead, config.scheduler(), own -> send(own, values, unclaimed));
        admission.take();
      }
    } catch (Throwable thrown) { // somebody may wait for the end
      if (admission != null) {
        admission.dispose();
      }
      finish(false, values, unclaimed);
    }
  }

  /** The time limit begins here: it does not include the wait for admission. */
  private void send(@Nullable Admission admission, SequenceBlock values, long unclaimed) {
    Consumer<Boolean> answered =
        givenBack -> {
          try {
            if (admission != null) {
              admission.end();
            }
          } finally {
            finish(givenBack, values, unclaimed);
          }
        };
    try {
      config.release(values).subscribe(answered);
    } catch (Throwable thrown) { // the successor waits for the end
      answered.accept(false);
    }
  }

  /** Reports to the recorder, once, and then completes the shutdown. */
  private void finish(boolean givenBack, SequenceBlock values, long unclaimed) {
    if (FINISHED.compareAndSet(this, 0, 1)) {
      end(givenBack ? values.size() : 0, unclaimed);
    }
  }

  private void end(long givenBack, long unclaimed) {
    try {
      if (givenBack > 0) {
        config.metrics().record(to -> to.released(config.sequence(), givenBack));
      }
      if (unclaimed > givenBack) {
        config.metrics().record(to -> to.discarded(config.sequence(), unclaimed - givenBack));
      }
      generator.closed();
    } finally {
      Objects.requireNonNull(end).reached();
    }
  }
}
