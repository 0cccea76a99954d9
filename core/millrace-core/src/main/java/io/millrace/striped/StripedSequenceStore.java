package io.millrace.striped;

import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceRegressionException;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.SequenceStoreException;
import io.millrace.internal.BoundedMap;
import io.millrace.internal.ShownText;
import io.millrace.striped.StripedSequenceStoreBuilder.StripeChoice;
import java.util.PrimitiveIterator;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Spreads each sequence over several rows of another store, the <em>underlying</em> store, so that
 * processes do not queue on one row. Over all processes, a row serves one reservation at a time;
 * with K rows, about K run at once.
 *
 * <p><b>When to use it.</b> First reduce the number of reservations with larger blocks, which adds
 * no rows. Stripes help if reservations still wait for one another, because all processes together
 * make more than one row serves: one for each transaction time. The price is order: values of
 * different rows are issued concurrently, so the store is not {@linkplain #isOrdered ordered}, and
 * a generator needs a {@code blockSize} of 2 or more.
 *
 * <p><b>Which values.</b> The sequence {@code orders} has the rows {@code orders#0}, {@code
 * orders#1} and so on in the underlying store. Row {@code r} counts indices, and its index {@code
 * i} is the value {@code r + stride * i}, beginning with the first such value that is not below the
 * start value. A block is a {@link SequenceBlock#strided strided} run of one row. Two more rows,
 * {@code orders#stride} and {@code orders#start}, record the stride and the start value. Every
 * process must use the recorded stride. The name of a sequence must not contain {@code #}.
 *
 * <p><b>Plain or striped.</b> A striped sequence also has the row {@code orders}, which is
 * exhausted: a process that uses the underlying store directly fails with a {@link
 * SequenceExhaustedException}. Do not delete this row. {@link #create} rejects a sequence that
 * exists as a plain one, and {@link #stripe} converts it. A striped sequence cannot become a plain
 * one.
 *
 * <p><b>Not dense.</b> With K rows of a stride S, only K of every S numbers are issued: 16 of 1,024
 * by default. Values grow S/K times as fast as with a plain sequence, and only K/S of the values up
 * to {@linkplain StripedSequenceStoreBuilder#maxValue maxValue} are used; with K equal to S, all of
 * them. If values must stay small, choose a small stride.
 *
 * <p><b>More rows, or fewer.</b> {@link StripedSequenceStoreBuilder#stripes} may differ between
 * processes, and change whenever one starts. A missing row is created when it is first used.
 * Because the stride is fixed, no two rows share a value, whatever number of rows other processes
 * use. A row that is no longer used keeps its counter, and continues from there when it is used
 * again.
 *
 * <p><b>A row that moved back</b>, as after a restore from a backup, is detected if the underlying
 * store is {@linkplain SequenceStore#isOrdered() ordered}: a block whose values are below those
 * that this store received from the same row is rejected with a {@link
 * SequenceRegressionException}. A process detects it only while it remembers the row: from its
 * first reservation of that row, until it has used other sequences with 65,536 rows without using
 * this one. Likewise, only a process that remembers a deleted row refuses to use it. Another
 * process creates the row again and issues its values twice.
 *
 * <p>All methods return cold {@code Mono}s. Threads and errors are those of the underlying store,
 * whose errors may name a row instead of the sequence. In addition: {@link
 * SequenceNotFoundException} if the sequence was not created by a striped store; {@link
 * SequenceStoreException} if it was created with another stride, or is to be created but exists as
 * a plain one; {@link SequenceExhaustedException} if no row in use has a value left; {@link
 * IllegalArgumentException} if a size is below 1, or a name is blank or contains {@code #}. Names
 * are up to 8 characters longer in the underlying store.
 *
 * <pre>{@code
 * SequenceStore striped = StripedSequenceStore.builder(spannerStore).stripes(32).build();
 * }</pre>
 */
public final class StripedSequenceStore implements SequenceStore {

  /** How many rows are read, or created, at a time. */
  private static final int CONCURRENCY = 8;

  /** How many rows, of the sequences used last, are kept in memory. */
  private static final int KNOWN_ROWS = 65_536;

  /** How many sequences are kept in memory, however many rows they have. */
  private static final int LEAST_KNOWN = 16;

  /** A sequence's rows, and how much their reservations cost in this process. */
  private record Known(StripedRows rows, StripeChooser chooser) {}

  private final SequenceStore store;
  private final int stripes;
  private final int stride;
  private final long maxValue;
  private final StripeChoice choice;
  private final IntUnaryOperator random;
  private final LongSupplier clock;

  /** The sequences whose records were read and match this store. */
  private final BoundedMap<Known> sequences;

  StripedSequenceStore(StripedSequenceStoreBuilder builder) {
    this.store = builder.store;
    this.stripes = builder.stripes;
    this.stride = builder.stride;
    this.maxValue = builder.maxValue;
    this.choice = builder.choice;
    this.random = builder.random;
    this.clock = builder.clock;
    this.sequences = new BoundedMap<>(Math.max(LEAST_KNOWN, (KNOWN_ROWS + stripes - 1) / stripes));
  }

  /**
   * Returns a builder for a striped store.
   *
   * @param store the underlying store
   * @return a builder with 16 stripes and a stride of 1,024
   */
  public static StripedSequenceStoreBuilder builder(SequenceStore store) {
    return new StripedSequenceStoreBuilder(store);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Makes one reservation in the underlying store, and before the first one of a sequence reads
   * the two records. A missing row is created. If a row is exhausted, the others are tried; it is
   * not tried again while another row has values, even if other processes release values to it
   * meanwhile. Each row skips its part of the values.
   *
   * @return a block of exactly {@code size} values of one row. At the end of the range, it may
   *     contain values above {@linkplain StripedSequenceStoreBuilder#maxValue maxValue}, but not
   *     only such values. Errors: see the class
   */
  @Override
  public Mono<SequenceBlock> reserve(ReservationRequest request) {
    return named(
        request.sequence(),
        () ->
            request
                .orCreate(this, striped(request.sequence()))
                .flatMap(striped -> reserve(striped, request)));
  }

  /**
   * Asks one row after another while they are exhausted. It is a loop, so the stack does not grow
   * if rows answer at once.
   */
  private static Mono<SequenceBlock> reserve(Known striped, ReservationRequest request) {
    PrimitiveIterator.OfInt rows = striped.rows().rowsToAsk(striped.chooser().choose());
    return Mono.defer(
            () -> {
              int row = rows.nextInt();
              return striped.chooser().measured(row, striped.rows().reserve(row, request));
            })
        .retryWhen(
            Retry.indefinitely()
                .filter(end -> end instanceof SequenceExhaustedException && rows.hasNext()));
  }

  /**
   * {@inheritDoc}
   *
   * <p>The values return to their row, unless values of that row were reserved since.
   */
  @Override
  public Mono<Boolean> release(String sequence, SequenceBlock tail) {
    return isReleasable()
        ? with(sequence, striped -> striped.rows().release(tail))
        : Mono.just(false);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Creates the records and all rows that this process uses, unless they exist. An existing
   * sequence keeps its start value. One with another stride is rejected with a {@link
   * SequenceStoreException}, and so is a plain one, which stays as it is. May be called again after
   * any failure, and by many processes at once. If the plain sequence is being created at the same
   * time, the start value may already be recorded; {@link #stripe} then moves it to the plain
   * counter.
   *
   * <p>The underlying store must support {@link SequenceStore#exhaust}. Otherwise this fails with
   * an {@link UnsupportedOperationException} after it has recorded the start value, and the
   * sequence has no values.
   *
   * @param startValue the smallest value that any row may issue
   */
  @Override
  public Mono<Void> create(String sequence, long startValue) {
    return named(
        sequence,
        () -> {
          long start = SequenceState.starting(sequence, startValue).nextValue();
          return new StripedRecords(store, sequence)
              .create(start, stride)
              .then(Mono.defer(() -> createRows(sequence)));
        });
  }

  /**
   * Converts a plain sequence of the underlying store to a striped one, permanently. The rows begin
   * at or after the plain counter. From then on, a process that uses the plain sequence issues what
   * it has reserved, and its next reservation fails with a {@link SequenceExhaustedException}.
   * Deploy processes that use this store at the same time, or stop the others before.
   *
   * <p>Does nothing if the sequence is already striped. If plain processes reserve values
   * meanwhile, it tries again until none does between two of its requests. May be called again
   * after any failure or cancellation, and by many processes at once.
   *
   * @return completes once the sequence is striped. Errors: {@link SequenceNotFoundException} if
   *     there is no such sequence; {@link SequenceExhaustedException} if the plain sequence has no
   *     value left; {@link SequenceStoreException} if it is striped with another stride; {@link
   *     UnsupportedOperationException} if the underlying store does not support {@link
   *     SequenceStore#moveForward} and {@link SequenceStore#exhaust}
   */
  public Mono<Void> stripe(String sequence) {
    return named(
        sequence,
        () ->
            new StripedRecords(store, sequence)
                .stripe(stride)
                .then(Mono.defer(() -> createRows(sequence))));
  }

  private Mono<Void> createRows(String sequence) {
    return striped(sequence)
        .flatMap(
            striped -> Flux.range(0, stripes).flatMap(striped.rows()::create, CONCURRENCY).then());
  }

  /**
   * {@inheritDoc}
   *
   * <p>Reads all rows that this process uses, 8 at a time and not as one snapshot. The next value
   * is the smallest of the rows' next values; values above it may already have been issued.
   */
  @Override
  public Mono<SequenceState> state(String sequence) {
    return rows(sequence)
        .reduce((one, other) -> one.nextValue() <= other.nextValue() ? one : other)
        .map(smallest -> new SequenceState(sequence, smallest.nextValue()));
  }

  /**
   * Reads the counter of each row of a sequence, to show how the load is spread.
   *
   * @return for each row that this process uses, in order, its name in the underlying store and its
   *     next <em>value</em>; {@link Long#MAX_VALUE} if it has none left. Errors: as for {@link
   *     #state}
   */
  public Flux<SequenceState> rows(String sequence) {
    return with(sequence, Mono::just)
        .flatMapMany(
            striped ->
                Flux.range(0, stripes).flatMapSequential(striped.rows()::state, CONCURRENCY));
  }

  /** Returns false: rows are used concurrently, even if the underlying store is ordered. */
  @Override
  public boolean isOrdered() {
    return false;
  }

  /** Returns the same as the underlying store. */
  @Override
  public boolean isReleasable() {
    return store.isReleasable();
  }

  /** Returns the same as the underlying store. */
  @Override
  public boolean canSkip() {
    return store.canSkip();
  }

  private <T> Mono<T> with(String sequence, Function<Known, Mono<T>> request) {
    return named(sequence, () -> striped(sequence).flatMap(request));
  }

  /** Checks the name when subscribed to. */
  private static <T> Mono<T> named(String sequence, Supplier<Mono<T>> request) {
    return Mono.defer(
        () -> {
          if (sequence.isBlank()) {
            throw new IllegalArgumentException(
                "the name of a striped sequence must not be blank, was "
                    + ShownText.quote(sequence));
          }
          if (sequence.indexOf('#') >= 0) {
            throw new IllegalArgumentException(
                "the name of a striped sequence must not contain '#', was "
                    + ShownText.quote(sequence));
          }
          return request.get();
        });
  }

  private Mono<Known> striped(String sequence) {
    Known known = sequences.get(sequence);
    StripedRecords records = new StripedRecords(store, sequence);
    return known != null
        ? Mono.just(known)
        : record(sequence, records.strideRow())
            .flatMap(
                recorded ->
                    recorded == stride
                        ? record(sequence, records.startRow())
                        : Mono.error(anotherStride(sequence, recorded)))
            .map(start -> sequences.learn(sequence, () -> striped(sequence, start)));
  }

  /** With two strides, values would be issued twice. */
  private SequenceStoreException anotherStride(String sequence, long recorded) {
    return new SequenceStoreException(
        sequence,
        "is configured with stride "
            + stride
            + ", but the sequence was created with stride "
            + recorded
            + "; the stride of a sequence never changes: configure stride("
            + recorded
            + ")",
        null);
  }

  private Known striped(String sequence, long startValue) {
    return new Known(
        new StripedRows(store, sequence, new StripeLayout(stride, startValue, maxValue), stripes),
        new StripeChooser(stripes, choice, random, clock));
  }

  private Mono<Long> record(String sequence, String row) {
    return store
        .state(row)
        .map(SequenceState::nextValue)
        .onErrorMap(
            SequenceNotFoundException.class,
            missing ->
                new SequenceNotFoundException(
                    sequence,
                    "the rows of " + this + " (there is no row " + ShownText.quote(row) + ")",
                    "create(\"" + sequence + "\", 1) on the striped store",
                    missing));
  }

  @Override
  public String toString() {
    return "StripedSequenceStore[" + stripes + " of " + stride + ", " + store + "]";
  }

  /** For tests: how many sequences are in memory. */
  int known() {
    return sequences.size();
  }
}
