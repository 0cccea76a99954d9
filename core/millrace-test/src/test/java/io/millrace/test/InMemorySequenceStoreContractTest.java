package io.millrace.test;

import io.millrace.DelegatingSequenceStore;
import io.millrace.SequenceBlock;
import io.millrace.SequenceStore;
import io.millrace.test.contract.SequenceStoreContract;
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
    return new DelegatingSequenceStore(shared) {
      @Override
      public Mono<Boolean> release(String sequence, SequenceBlock tail) {
        return super.release(sequence, tail)
            .onErrorResume(error -> meanwhile.then(Mono.error(error)));
      }
    };
  }
}
