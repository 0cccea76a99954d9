package io.millrace;

import io.millrace.contract.SequenceStoreContract;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

class InMemorySequenceStoreContractTest extends SequenceStoreContract {

  private final InMemorySequenceStore shared = InMemorySequenceStore.create();

  @Override
  protected SequenceStore store() {
    return shared;
  }

  @Override
  protected @Nullable SequenceStore storeThatLosesNextReleaseAnswer(Mono<?> meanwhile) {
    shared.loseNextReleaseAnswers(1, new IOException("connection reset"));
    return new ReleaseFailureDelayed(shared, meanwhile);
  }

  /** Lets something else happen between the effect of a release and its failure. */
  private record ReleaseFailureDelayed(SequenceStore store, Mono<?> meanwhile)
      implements SequenceStore {

    @Override
    public Mono<Boolean> release(String sequence, SequenceBlock tail) {
      return store
          .release(sequence, tail)
          .onErrorResume(error -> meanwhile.then(Mono.error(error)));
    }

    @Override
    public Mono<SequenceBlock> reserve(String sequence, long size) {
      return store.reserve(sequence, size);
    }

    @Override
    public Mono<Void> create(String sequence, long startValue) {
      return store.create(sequence, startValue);
    }

    @Override
    public Mono<SequenceState> state(String sequence) {
      return store.state(sequence);
    }

    @Override
    public boolean isOrdered() {
      return store.isOrdered();
    }

    @Override
    public boolean isReleasable() {
      return store.isReleasable();
    }
  }
}
