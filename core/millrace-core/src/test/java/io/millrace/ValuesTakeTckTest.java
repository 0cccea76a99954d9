package io.millrace;

import io.millrace.test.InMemorySequenceStore;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/**
 * The rules of Reactive Streams for a stream of so many values, from a store that answers at once.
 */
public class ValuesTakeTckTest extends TckVerification<Long> {

  @Override
  public Publisher<Long> createPublisher(long elements) {
    return SequenceGenerator.builder(InMemorySequenceStore.withSequence("s", 1), "s")
        .batchSize(10)
        .scheduler(new InlineScheduler())
        .build()
        .values()
        .take(elements);
  }

  /** None: a generator fails upon a request, not upon a subscription. */
  @Override
  public @Nullable Publisher<Long> createFailedPublisher() {
    return null;
  }
}
