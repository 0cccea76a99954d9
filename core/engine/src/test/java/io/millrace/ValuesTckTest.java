package io.millrace;

import io.millrace.test.InMemorySequenceStore;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.tck.PublisherVerification;
import org.reactivestreams.tck.TestEnvironment;

/** The rules of Reactive Streams for the endless stream of values. */
public class ValuesTckTest extends PublisherVerification<Long> {

  /** Runs the verification with time-outs that only a fault uses up. */
  public ValuesTckTest() {
    super(new TestEnvironment(2_000, 200, false));
  }

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
