package io.millrace;

import io.millrace.test.InMemorySequenceStore;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** The rules of Reactive Streams for the endless stream of values. */
public class ValuesTckTest extends TckVerification<Long> {

  @Override
  public Publisher<Long> createPublisher(long elements) {
    return SequenceGenerator.builder(InMemorySequenceStore.withSequence("s", 1), "s")
        .batchSize(10)
        .lowWatermark(3)
        .build()
        .values();
  }

  /** None: a generator fails upon a request, not upon a subscription. */
  @Override
  public @Nullable Publisher<Long> createFailedPublisher() {
    return null;
  }

  @Override
  public long maxElementsFromPublisher() {
    return publisherUnableToSignalOnComplete();
  }
}
