package io.millrace;

import io.millrace.test.InMemorySequenceStore;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.tck.PublisherVerification;
import org.reactivestreams.tck.TestEnvironment;

/**
 * The rules of Reactive Streams for a stream of so many values, from a store that answers at once.
 */
public class ValuesTakeTckTest extends PublisherVerification<Long> {

  /** Runs the verification with time-outs that only a fault uses up. */
  public ValuesTakeTckTest() {
    super(new TestEnvironment(2_000, 200, false));
  }

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
