package io.millrace.perf;

import io.millrace.DelegatingSequenceStore;
import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceStore;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import reactor.core.publisher.Mono;

/** A store that counts, times and numbers the reservations made through it. */
final class Reservations extends DelegatingSequenceStore {

  /**
   * The counts at one moment.
   *
   * @param completed reservations that obtained values
   * @param failed reservations that ended with an error
   * @param values the number of values obtained
   */
  record Counts(long completed, long failed, long values) {

    Counts since(Counts earlier) {
      return new Counts(
          completed - earlier.completed, failed - earlier.failed, values - earlier.values);
    }
  }

  private final Recorder nanos = new Recorder(Tally.LONGEST, Tally.DIGITS);

  /** Reservations that ended: with values, with an error, or by a cancel. */
  private final AtomicLong attempts = new AtomicLong();

  private final AtomicLong completed = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong values = new AtomicLong();
  private final AtomicLong givenBack = new AtomicLong();

  /** The number of an attempt, from 1, by its first value; only for consecutive values. */
  private final ConcurrentSkipListMap<Long, Long> numbers = new ConcurrentSkipListMap<>();

  Reservations(SequenceStore store) {
    super(store);
  }

  @Override
  public Mono<SequenceBlock> reserve(ReservationRequest request) {
    return Mono.defer(
        () -> {
          long start = System.nanoTime();
          return super.reserve(request)
              .doOnNext(block -> obtained(block, start))
              .doOnError(error -> failed.incrementAndGet())
              .doOnError(error -> attempts.incrementAndGet())
              .doOnCancel(attempts::incrementAndGet);
        });
  }

  private void obtained(SequenceBlock block, long start) {
    nanos.recordValue(Tally.inRange(System.nanoTime() - start));
    values.addAndGet(block.size());
    completed.incrementAndGet();
    long number = attempts.incrementAndGet();
    if (block.last() - block.first() == block.size() - 1) {
      numbers.put(block.first(), number);
    }
  }

  @Override
  public Mono<Boolean> release(String sequence, SequenceBlock tail) {
    return super.release(sequence, tail)
        .doOnNext(
            released -> {
              if (released) {
                givenBack.addAndGet(tail.size());
              }
            });
  }

  /** The number of reservations that ended so far, with success or not. */
  long attempts() {
    return attempts.get();
  }

  Counts counts() {
    return new Counts(completed.get(), failed.get(), values.get());
  }

  /** The number of values that were released to the store. */
  long givenBack() {
    return givenBack.get();
  }

  /** The durations of successful reservations since the last call, in nanoseconds. */
  Histogram takeTimes() {
    return nanos.getIntervalHistogram();
  }

  /**
   * The number of reservations that had to end before a client received a value.
   *
   * @param value the value
   * @param before {@link #attempts()} at the client's request
   * @return 0 if the value was already buffered, or if its block is unknown
   */
  long reservationsAwaited(long value, long before) {
    Map.Entry<Long, Long> block = numbers.floorEntry(value);
    return block == null ? 0 : Math.max(0, block.getValue() - before);
  }
}
