package io.millrace.webflux;

import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Logs when the database goes away and when it is back: a line a change, not a line a request.
 *
 * <p>The outage is over when a request succeeds that began after the latest failure. One that began
 * earlier says nothing of what came since.
 */
@Component
class Availability {

  private static final Logger LOG = LoggerFactory.getLogger(Availability.class);

  private static final long UP = 0;

  /** Counts requests and failures, so that each has a number greater than all before it. */
  private final AtomicLong clock = new AtomicLong();

  /** The number of the latest failure, or {@link #UP}. */
  private final AtomicLong away = new AtomicLong(UP);

  /** The number of a request that begins. */
  long begin() {
    return clock.incrementAndGet();
  }

  /**
   * @param begun the number of the request that succeeded
   */
  void answered(long begun) {
    long failed = away.get();
    if (failed != UP && failed < begun && away.compareAndSet(failed, UP)) {
      LOG.info("The database answers again");
    }
  }

  void failed(Throwable failure) {
    long number = clock.incrementAndGet();
    if (away.getAndAccumulate(number, Math::max) == UP) {
      LOG.warn("The database does not answer; requests are answered 503: {}", failure.toString());
    }
  }
}
