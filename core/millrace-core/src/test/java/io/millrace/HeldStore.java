package io.millrace;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import reactor.core.publisher.Mono;

/** A store that answers when it is told to, on the thread that tells it. */
public final class HeldStore implements SequenceStore {

  private final AtomicLong next = new AtomicLong(1);
  private final AtomicReference<@Nullable Held> held = new AtomicReference<>();

  /** How many reservations began while another was held; a generator never makes one. */
  private final AtomicLong overlapping = new AtomicLong();

  /** Reservations that were cancelled and are not answered. */
  private final Queue<Held> abandoned = new ConcurrentLinkedQueue<>();

  private record Held(Subscriber<? super SequenceBlock> subscriber, long size) {}

  /** Answers the reservation that is held; false if there is none. */
  public boolean answer() {
    return answer(held.getAndSet(null));
  }

  /** Answers a reservation that was cancelled before, as a slow database may; false if none was. */
  public boolean answerLate() {
    return answer(abandoned.poll());
  }

  private boolean answer(@Nullable Held answered) {
    if (answered == null) {
      return false;
    }
    SequenceBlock block = SequenceBlock.of(next.getAndAdd(answered.size), answered.size);
    answered.subscriber.onNext(block);
    answered.subscriber.onComplete();
    return true;
  }

  /** Fails the reservation that is held; false if there is none. */
  public boolean fail(Throwable failure) {
    Held failed = held.getAndSet(null);
    if (failed == null) {
      return false;
    }
    failed.subscriber.onError(failure);
    return true;
  }

  /** Whether a reservation waits for its answer. */
  public boolean isHeld() {
    return held.get() != null;
  }

  /** The value that the next reservation begins with. */
  public long nextValue() {
    return next.get();
  }

  public long overlapping() {
    return overlapping.get();
  }

  @Override
  public Mono<SequenceBlock> reserve(ReservationRequest request) {
    return Mono.from(
        subscriber -> {
          Held begun = new Held(subscriber, request.size());
          subscriber.onSubscribe(
              new Subscription() {
                @Override
                public void request(long n) { // not before: no answer may precede onSubscribe
                  if (held.getAndSet(begun) != null) {
                    overlapping.incrementAndGet();
                  }
                }

                @Override
                public void cancel() {
                  if (held.compareAndSet(begun, null)) {
                    abandoned.add(begun);
                  }
                }
              });
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
