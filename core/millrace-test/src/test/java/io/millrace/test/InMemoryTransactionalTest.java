package io.millrace.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceStore;
import io.millrace.TransactionalSequence;
import io.millrace.TransactionalSequences;
import io.millrace.test.contract.TransactionalSequenceContract;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class InMemoryTransactionalTest extends TransactionalSequenceContract<String> {

  private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("a", 5);

  @Override
  protected SequenceStore store() {
    return store;
  }

  @Override
  protected TransactionalSequence<String> transactional(String sequence) {
    return store.transactional(sequence);
  }

  @Override
  protected TransactionalSequences<String> transactionals() {
    return store.transactionals();
  }

  @Override
  protected <T> Mono<T> transaction(Function<String, Mono<T>> body) {
    return Mono.defer(() -> body.apply("any"));
  }

  @Override
  protected boolean rollsBack() {
    return false;
  }

  @Test
  void theScriptOfTheStoreApplies() {
    store.failNextReservations(2, new IOException("down"));
    StepVerifier.create(transactional("a").next("any")).verifyErrorMessage("down");
    StepVerifier.create(transactionals().next("any", Map.of("a", 1))).verifyErrorMessage("down");
    assertThat(transactionals().next("any", Map.of("a", 1)).block())
        .containsEntry("a", List.of(5L));
  }
}
