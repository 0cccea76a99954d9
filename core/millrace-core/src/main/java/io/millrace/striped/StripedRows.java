package io.millrace.striped;

import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceRegressionException;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.internal.ShownText;
import java.util.PrimitiveIterator;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The rows of one striped sequence: their names, and requests to them in terms of values. */
final class StripedRows {

  private final SequenceStore store;
  private final String sequence;
  private final StripeLayout layout;

  /**
   * 1 for a row that has been seen. If it is missing later, it was deleted, and creating it again
   * would issue its first values twice.
   */
  private final AtomicIntegerArray seen;

  /** 1 for a row that had no value left, until this process gives a value back to it. */
  private final AtomicIntegerArray finished;

  /**
   * For each row, one more than the highest index that it gave and this process did not give back.
   * If a later request to an ordered store gives a lower index, the counter has moved back.
   */
  private final AtomicLongArray reservedUpTo;

  /**
   * How often values were given back, because that lowers a counter while reservations are under
   * way.
   */
  private final AtomicInteger releases = new AtomicInteger();

  StripedRows(SequenceStore store, String sequence, StripeLayout layout, int rows) {
    this.store = store;
    this.sequence = sequence;
    this.layout = layout;
    this.seen = new AtomicIntegerArray(rows);
    this.finished = new AtomicIntegerArray(rows);
    this.reservedUpTo =
        new AtomicLongArray(LongStream.generate(() -> Long.MIN_VALUE).limit(rows).toArray());
  }

  private String name(long row) {
    return sequence + "#" + row;
  }

  /**
   * The rows to ask, one after another from the first on: all that are not finished, or the first
   * if all are, since another process may have given values back.
   */
  PrimitiveIterator.OfInt rowsToAsk(int first) {
    int rows = finished.length();
    PrimitiveIterator.OfInt unfinished =
        IntStream.range(0, rows)
            .map(after -> (first + after) % rows)
            .filter(row -> finished.get(row) == 0)
            .iterator();
    return unfinished.hasNext() ? unfinished : IntStream.of(first).iterator();
  }

  /**
   * Reserves values of one row, and creates the row if it is missing. Errors: {@link
   * SequenceExhaustedException} if no value up to {@code maxValue} is left in the row, or fewer
   * values than requested up to {@link SequenceState#LARGEST_VALUE}; {@link
   * SequenceRegressionException} if the row gave the values before.
   */
  Mono<SequenceBlock> reserve(int row, ReservationRequest request) {
    return Mono.defer(
        () -> {
          long size = request.size();
          long above = reservedUpTo.get(row);
          int releasesBefore = releases.get();
          ReservationRequest ofRow = ofRow(row, request);
          return store
              .reserve(ofRow)
              .doOnNext(indices -> seen.set(row, 1))
              .onErrorResume(
                  SequenceNotFoundException.class,
                  missing ->
                      ofRow.startIfMissing() == null ? deleted(row, missing) : Mono.error(missing))
              .onErrorMap(
                  SequenceExhaustedException.class,
                  end -> exhausted(row, end.nextValue(), size, end))
              .flatMap(
                  indices ->
                      indices.first() < above
                              && releasesBefore == releases.get()
                              && store.isOrdered()
                          ? Mono.error(regression(row, above, indices))
                          : accept(row, indices, size));
        });
  }

  /** The request for a row's part of the sequence; it creates a row that was not seen before. */
  private ReservationRequest ofRow(int row, ReservationRequest request) {
    return new ReservationRequest(
        name(row),
        request.size(),
        isSeen(row) ? null : layout.firstIndex(row),
        request.skipped().ofStripe(row, layout.stride()));
  }

  private SequenceRegressionException regression(int row, long above, SequenceBlock indices) {
    return new SequenceRegressionException(
        sequence, layout.valueAt(row, above - 1), layout.valueAt(row, indices.first()));
  }

  private Mono<SequenceBlock> accept(int row, SequenceBlock indices, long size) {
    SequenceBlock values = layout.values(row, indices);
    if (values == null) {
      return giveBack(row, indices, size);
    }
    reservedUpTo.accumulateAndGet(row, indices.last() + 1, Math::max);
    return Mono.just(values);
  }

  private Mono<SequenceBlock> giveBack(int row, SequenceBlock indices, long size) {
    Mono<Boolean> release =
        store.isReleasable() ? store.release(name(row), indices) : Mono.just(false);
    return release
        .onErrorReturn(false) // a gap at the end of the range
        .then(Mono.error(() -> exhausted(row, indices.first(), size, null)));
  }

  private SequenceExhaustedException exhausted(
      int row, long index, long size, @Nullable Throwable cause) {
    if (index > layout.lastIndex(row)) {
      finished.set(row, 1);
    }
    return new SequenceExhaustedException(
        sequence, layout.valueAt(row, index), size, layout.maxValue(), remedy(), cause);
  }

  private String remedy() {
    int rows = finished.length();
    return rows == layout.stride()
        ? "raise the limit, or move to another sequence"
        : "use more stripes, up to the stride: "
            + rows
            + " of "
            + layout.stride()
            + " are in use, and the values of the others were never issued; or raise the limit";
  }

  /**
   * Creates a row with the first of the sequence's values that belongs to it, unless the row
   * exists.
   */
  Mono<Void> create(int row) {
    return store.create(name(row), layout.firstIndex(row)).doOnSuccess(created -> seen.set(row, 1));
  }

  /** A row's name, and its next value. */
  Mono<SequenceState> state(int row) {
    return Mono.defer(
        () -> {
          boolean seenBefore = isSeen(row);
          return store
              .state(name(row))
              .map(SequenceState::nextValue)
              .onErrorResume(
                  SequenceNotFoundException.class,
                  missing -> seenBefore ? deleted(row, missing) : Mono.just(layout.firstIndex(row)))
              .map(index -> new SequenceState(name(row), layout.valueAt(row, index)));
        });
  }

  /** Gives values back to their row. */
  Mono<Boolean> release(SequenceBlock tail) {
    if (!layout.isOfOneStripe(tail)) {
      return Mono.just(false);
    }
    long row = layout.stripeOf(tail.first());
    SequenceBlock indices = layout.indices(tail);
    return Mono.defer(
            () -> {
              noteRelease(row, indices); // also if the answer is lost
              return store.release(name(row), indices);
            })
        .doOnNext(released -> markUnfinished(row, released))
        .onErrorResume(SequenceNotFoundException.class, missing -> deleted(row, missing));
  }

  private void noteRelease(long row, SequenceBlock indices) {
    releases.incrementAndGet();
    if (row < reservedUpTo.length()) { // this process may use fewer rows now
      reservedUpTo.accumulateAndGet((int) row, indices.first(), Math::min);
    }
  }

  private void markUnfinished(long row, boolean released) {
    if (released && row < finished.length()) {
      finished.set((int) row, 0);
    }
  }

  private boolean isSeen(int row) {
    return seen.get(row) == 1;
  }

  private <T> Mono<T> deleted(long row, SequenceNotFoundException missing) {
    return Mono.error(
        new SequenceNotFoundException(
            sequence,
            "its row " + ShownText.quote(name(row)) + ", which was there before",
            "find the largest of its values in use, and create the row after it",
            missing));
  }
}
