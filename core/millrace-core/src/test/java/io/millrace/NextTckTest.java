package io.millrace;

import io.millrace.test.InMemorySequenceStore;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** The rules of Reactive Streams for a single value. */
public class NextTckTest extends TckVerification<Long> {

  @Override
  public Publisher<Long> createPublisher(long elements) {
    return SequenceGenerator.builder(InMemorySequenceStore.withSequence("s", 1), "s")
        .batchSize(1)
        .build()
        .next();
  }

  /** None: a generator fails upon a request, not upon a subscription. */
  @Override
  public @Nullable Publisher<Long> createFailedPublisher() {
    return null;
  }

  @Override
  public long maxElementsFromPublisher() {
    return 1;
  }
}
