package io.millrace.perf;

import io.millrace.DelegatingSequenceStore;
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
   * What was counted until some moment.
   *
   * @param completed reservations that gave values
   * @param failed reservations that ended with an error
   * @param values how many values were obtained
   */
  record Counts(long completed, long failed, long values) {

    Counts since(Counts earlier) {
      return new Counts(
          completed - earlier.completed, failed - earlier.failed, values - earlier.values);
    }
  }

  private final Recorder nanos = new Recorder(Tally.LONGEST, Tally.DIGITS);

  /** Reservations that came to an end: with values, with an error, or cancelled. */
  private final AtomicLong attempts = new AtomicLong();

  private final AtomicLong completed = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong values = new AtomicLong();
  private final AtomicLong givenBack = new AtomicLong();

  /** The number of an attempt, from 1 on, by the first value; only of consecutive values. */
  private final ConcurrentSkipListMap<Long, Long> numbers = new ConcurrentSkipListMap<>();

  Reservations(SequenceStore store) {
    super(store);
  }

  @Override
  public Mono<SequenceBlock> reserve(String sequence, long size) {
    return Mono.defer(
        () -> {
          long start = System.nanoTime();
          return super.reserve(sequence, size)
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

  /** How many reservations came to an end so far, well or not. */
  long attempts() {
    return attempts.get();
  }

  Counts counts() {
    return new Counts(completed.get(), failed.get(), values.get());
  }

  /** How many values were given back to the store. */
  long givenBack() {
    return givenBack.get();
  }

  /** How long those took that gave values since this was last asked, in nanoseconds. */
  Histogram takeTimes() {
    return nanos.getIntervalHistogram();
  }

  /**
   * How many reservations had to come to an end before a value was there.
   *
   * @param value what a client was given
   * @param before {@link #attempts()} when it asked
   * @return 0 if the value was buffered by then, or if its block is unknown
   */
  long waitedFor(long value, long before) {
    Map.Entry<Long, Long> block = numbers.floorEntry(value);
    return block == null ? 0 : Math.max(0, block.getValue() - before);
  }
}
