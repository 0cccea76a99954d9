package io.millrace.benchmark;

import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Mono;

/** A store that costs one atomic add, so the engine is what is measured. */
final class FreeStore implements SequenceStore {

  /** One counter for all names; the values are still unique. */
  private final AtomicLong next = new AtomicLong(1);

  @Override
  public Mono<SequenceBlock> reserve(ReservationRequest request) {
    return Mono.fromSupplier(
        () -> SequenceBlock.of(next.getAndAdd(request.size()), request.size()));
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
    return false;
  }
}
