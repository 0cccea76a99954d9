package io.millrace.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

class TransactionalRunsTest {

  private long counter = Long.MAX_VALUE - 4;

  private final TransactionalRuns<String> sequence =
      new TransactionalRuns<>() {

        @Override
        protected <V> Mono<V> take(String transaction, int count, LongFunction<V> values) {
          return Mono.fromSupplier(
              () -> {
                long first = counter;
                counter += count;
                return values.apply(first);
              });
        }
      };

  @Test
  void valuesAreConsecutiveUpToTheLargestOfASequence() {
    assertThat(sequence.next("tx").block()).isEqualTo(Long.MAX_VALUE - 4);
    assertThat(sequence.next("tx", 3).block())
        .containsExactly(Long.MAX_VALUE - 3, Long.MAX_VALUE - 2, Long.MAX_VALUE - 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
  void aCountBelowOneIsRefusedAtTheCall(int count) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sequence.next("tx", count))
        .withMessage("count must be at least 1, was " + count);
    assertThat(counter).isEqualTo(Long.MAX_VALUE - 4);
  }
}
