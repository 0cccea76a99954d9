package io.millrace;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** A store that answers when it is told to, on the thread that tells it. */
final class HeldStore implements SequenceStore {

  private final AtomicLong next = new AtomicLong(1);
  private final AtomicReference<@Nullable Held> held = new AtomicReference<>();

  /** How many reservations began while another was held; a generator never makes one. */
  private final AtomicLong overlapping = new AtomicLong();

  private record Held(MonoSink<SequenceBlock> sink, long size) {}

  /** Answers the reservation that is held; false if there is none. */
  boolean answer() {
    Held answered = held.getAndSet(null);
    if (answered == null) {
      return false;
    }
    answered.sink.success(SequenceBlock.of(next.getAndAdd(answered.size), answered.size));
    return true;
  }

  /** Fails the reservation that is held; false if there is none. */
  boolean fail(Throwable failure) {
    Held failed = held.getAndSet(null);
    if (failed == null) {
      return false;
    }
    failed.sink.error(failure);
    return true;
  }

  /** The value that the next reservation begins with. */
  long nextValue() {
    return next.get();
  }

  long overlapping() {
    return overlapping.get();
  }

  @Override
  public Mono<SequenceBlock> reserve(String sequence, long size) {
    return Mono.create(
        sink -> {
          if (held.getAndSet(new Held(Objects.requireNonNull(sink), size)) != null) {
            overlapping.incrementAndGet();
          }
        });
  }

  @Override
  public Mono<Boolean> release(String sequence, SequenceBlock tail) {
    return Mono.fromCallable(() -> next.compareAndSet(tail.last() + 1, tail.first()));
  }

  @Override
  public Mono<Void> create(String sequence, long startValue) {
    return Mono.empty();
  }

  @Override
  public Mono<SequenceState> state(String sequence) {
    return Mono.fromCallable(() -> new SequenceState(sequence, next.get()));
  }

  @Override
  public boolean isOrdered() {
    return true;
  }

  @Override
  public boolean isReleasable() {
    return true;
  }
}
