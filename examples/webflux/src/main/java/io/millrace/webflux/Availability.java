package io.millrace.webflux;

import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Logs when the database becomes unavailable and when it is available again: one line for each
 * change, not for each request.
 *
 * <p>An outage ends when a request succeeds that began after the latest failure. An earlier request
 * does not show the state after that failure.
 */
@Component
class Availability {

  private static final Logger LOG = LoggerFactory.getLogger(Availability.class);

  private static final long UP = 0;

  /** Numbers requests and failures in ascending order. */
  private final AtomicLong clock = new AtomicLong();

  /** The number of the latest failure, or {@link #UP}. */
  private final AtomicLong lastFailure = new AtomicLong(UP);

  /** The number of a request that begins. */
  long begin() {
    return clock.incrementAndGet();
  }

  /**
   * @param begun the number of the request that succeeded
   */
  void succeeded(long begun) {
    long failed = lastFailure.get();
    if (failed != UP && failed < begun && lastFailure.compareAndSet(failed, UP)) {
      LOG.info("The database answers again");
    }
  }

  void failed(Throwable failure) {
    long number = clock.incrementAndGet();
    if (lastFailure.getAndAccumulate(number, Math::max) == UP) {
      LOG.warn("The database does not answer; requests fail with 503: {}", failure.toString());
    }
  }
}
