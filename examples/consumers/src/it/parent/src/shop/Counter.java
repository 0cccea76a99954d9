package shop;

import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Mono;

/** A store of a program's own. */
final class Counter implements SequenceStore {

  private final AtomicLong next = new AtomicLong(1);

  @Override
  public Mono<SequenceBlock> reserve(ReservationRequest request) {
    return Mono.fromSupplier(
        () -> SequenceBlock.of(next.getAndAdd(request.size()), request.size()));
  }

  @Override
  public Mono<Boolean> release(String sequence, SequenceBlock tail) {
    return Mono.fromSupplier(() -> next.compareAndSet(tail.last() + 1, tail.first()));
  }

  @Override
  public Mono<Void> create(String sequence, long startValue) {
    return Mono.empty();
  }

  @Override
  public Mono<SequenceState> state(String sequence) {
    return Mono.fromSupplier(() -> new SequenceState(sequence, next.get()));
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
