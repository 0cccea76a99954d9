package io.millrace.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.SequenceNotFoundException;
import io.millrace.SequencesRefusedException;
import io.millrace.TransactionalSequence;
import io.millrace.TransactionalSequences;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class InMemoryTransactionalTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final String TRANSACTION = "any";

  private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("a", 5);
  private final TransactionalSequence<String> one = store.transactional("a");
  private final TransactionalSequences<String> several = store.transactionals();

  private static <T> T given(Mono<T> mono) {
    return Objects.requireNonNull(mono.block(LIMIT));
  }

  @Test
  void valuesComeFromTheStoreAtOnce() {
    assertThat(given(one.next(TRANSACTION, 2))).containsExactly(5L, 6L);
    assertThat(given(one.next(TRANSACTION))).isEqualTo(7);
    assertThat(given(store.state("a")).nextValue()).isEqualTo(8);
    assertThatIllegalArgumentException().isThrownBy(() -> one.next(TRANSACTION, 0));
  }

  @Test
  void eachNameHasItsOwnValues() {
    TransactionalSequences<String> created = several.createMissing(100);
    assertThat(given(created.next(TRANSACTION, Map.of("a", 2, "b", 1))))
        .isEqualTo(Map.of("a", List.of(5L, 6L), "b", List.of(100L)));
    assertThat(given(created.next(TRANSACTION, Map.of("b", 2))))
        .isEqualTo(Map.of("b", List.of(101L, 102L)));
    assertThatIllegalArgumentException().isThrownBy(() -> several.next(TRANSACTION, Map.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> several.next(TRANSACTION, Map.of("a", 0)));
  }

  @Test
  void ifOneIsMissingNoneGivesAValue() {
    assertThatExceptionOfType(SequencesRefusedException.class)
        .isThrownBy(() -> given(several.next(TRANSACTION, Map.of("a", 1, "b", 1))))
        .satisfies(
            refused ->
                assertThat(refused.reasons())
                    .containsOnlyKeys("b")
                    .hasValueSatisfying(
                        new org.assertj.core.api.Condition<>(
                            SequenceNotFoundException.class::isInstance, "not found")));
    assertThat(given(store.state("a")).nextValue()).isEqualTo(5);
  }

  @Test
  void theScriptOfTheStoreApplies() {
    store.failNextReservations(2, new IOException("down"));
    StepVerifier.create(one.next(TRANSACTION)).verifyErrorMessage("down");
    StepVerifier.create(several.next(TRANSACTION, Map.of("a", 1))).verifyErrorMessage("down");
    assertThat(given(several.next(TRANSACTION, Map.of("a", 1)))).containsEntry("a", List.of(5L));
  }
}
