package io.millrace.perf;

import io.millrace.SequenceBlock;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import reactor.core.publisher.Mono;

/** A store that counts, times and numbers the reservations made through it. */
final class Reservations implements SequenceStore {

  private final SequenceStore store;
  private final ConcurrentHistogram micros =
      new ConcurrentHistogram(TimeUnit.HOURS.toMicros(1), Tally.DIGITS);
  private final AtomicLong completed = new AtomicLong();
  private final AtomicLong reserved = new AtomicLong();
  private final AtomicLong givenBack = new AtomicLong();

  /**
   * The number of a reservation, from 1 on, by the first value it obtained; only of consecutive
   * values.
   */
  private final ConcurrentSkipListMap<Long, Long> numbers = new ConcurrentSkipListMap<>();

  Reservations(SequenceStore store) {
    this.store = store;
  }

  @Override
  public Mono<SequenceBlock> reserve(String sequence, long size) {
    return Mono.defer(
        () -> {
          long start = System.nanoTime();
          return store.reserve(sequence, size).doOnNext(block -> obtained(block, start));
        });
  }

  private void obtained(SequenceBlock block, long start) {
    micros.recordValue(Tally.micros(System.nanoTime() - start));
    reserved.addAndGet(block.size());
    long number = completed.incrementAndGet();
    if (block.last() - block.first() == block.size() - 1) {
      numbers.put(block.first(), number);
    }
  }

  @Override
  public Mono<Boolean> release(String sequence, SequenceBlock tail) {
    return store
        .release(sequence, tail)
        .doOnNext(
            released -> {
              if (released) {
                givenBack.addAndGet(tail.size());
              }
            });
  }

  @Override
  public Mono<Void> create(String sequence, long startValue) {
    return store.create(sequence, startValue);
  }

  @Override
  public Mono<SequenceState> state(String sequence) {
    return store.state(sequence);
  }

  @Override
  public boolean isOrdered() {
    return store.isOrdered();
  }

  @Override
  public boolean isReleasable() {
    return store.isReleasable();
  }

  /** How many reservations were answered so far. */
  long completed() {
    return completed.get();
  }

  /** How many values they obtained. */
  long reserved() {
    return reserved.get();
  }

  /** How many of those were given back to the store. */
  long givenBack() {
    return givenBack.get();
  }

  /** How long they took, in microseconds. */
  Histogram micros() {
    return micros.copy();
  }

  /**
   * How many reservations had to be answered before a value was there.
   *
   * @param value what a client was given
   * @param before {@link #completed()} when it asked
   * @return 0 if the value was buffered by then, or if that cannot be told
   */
  long waitedFor(long value, long before) {
    Map.Entry<Long, Long> block = numbers.floorEntry(value);
    return block == null ? 0 : Math.max(0, block.getValue() - before);
  }
}
