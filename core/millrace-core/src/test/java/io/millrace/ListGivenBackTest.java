package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** A list of values that fails gives back what it has collected. */
class ListGivenBackTest {

  @Test
  void aSubscriberThatAsksAgainOnTheErrorFindsTheValuesThere() {
    InlineScheduler clock = new InlineScheduler();
    InMemorySequenceStore store = InMemorySequenceStore.withSequence("s", 1);
    SequenceGenerator generator =
        SequenceGenerator.builder(store, "s")
            .batchSize(3)
            .maxBatchSize(3)
            .scheduler(clock)
            .backoff(Duration.ofSeconds(1), Duration.ofSeconds(1), 0, 1)
            .build();
    generator.warmup().subscribe();
    store.failNextReservations(1, new TimeoutException("on purpose"));
    List<Long> found = new ArrayList<>();
    List<Long> atOnce = new ArrayList<>();
    generator
        .next(5)
        .subscribe(
            list -> {},
            error -> {
              generator.next(3).subscribe(found::addAll);
              atOnce.addAll(found);
            });

    assertThat(atOnce).containsExactly(1L, 2L, 3L);
  }
}
