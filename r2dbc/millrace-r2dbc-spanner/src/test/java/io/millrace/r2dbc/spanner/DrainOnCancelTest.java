package io.millrace.r2dbc.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

class DrainOnCancelTest {

  @Test
  void aCancelReadsTheRestAndDropsIt() {
    TestPublisher<Integer> source = TestPublisher.create();
    List<Object> discarded = new ArrayList<>();
    StepVerifier.create(
            DrainOnCancel.of(source.flux()).doOnDiscard(Integer.class, discarded::add), 1)
        .then(() -> source.next(1))
        .expectNext(1)
        .thenCancel()
        .verify();
    source.assertNotCancelled();
    source.next(2, 3).complete();
    assertThat(discarded).containsExactly(2, 3);
  }
}
