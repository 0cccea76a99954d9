package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class TransactionalSequenceTest {

  private final List<String> calls = new ArrayList<>();
  private final TransactionalSequence<String> sequence =
      new TransactionalSequence<>() {

        @Override
        public String name() {
          return "invoices";
        }

        @Override
        public Mono<List<Long>> next(String transaction, int count) {
          calls.add(transaction + " " + count);
          return Mono.just(List.of(7L));
        }
      };

  @Test
  void oneValueIsTakenAsAListOfOne() {
    assertThat(sequence.next("tx").block()).isEqualTo(7);
    assertThat(calls).containsExactly("tx 1");
  }
}
