package io.millrace.torture;

import io.millrace.DelegatingSequenceStore;
import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceStore;
import reactor.core.publisher.Mono;

/**
 * Issues one value of another process, to show that the checks find it: moves a block by one, so it
 * begins with the last value of the block before. That block must belong to another process,
 * because the generator detects an overlap with its own blocks.
 */
final class SabotagedStore extends DelegatingSequenceStore {

  /** The highest value of this process. Reservations of a generator come one at a time. */
  private volatile long highest;

  private volatile boolean done;

  SabotagedStore(SequenceStore store) {
    super(store);
  }

  @Override
  public Mono<SequenceBlock> reserve(ReservationRequest request) {
    return super.reserve(request).map(this::sabotaged);
  }

  private SequenceBlock sabotaged(SequenceBlock block) {
    long before = highest;
    highest = block.last();
    if (done || before == 0 || before >= block.first() - 1) {
      return block;
    }
    done = true;
    return SequenceBlock.of(block.first() - 1, block.size());
  }
}
