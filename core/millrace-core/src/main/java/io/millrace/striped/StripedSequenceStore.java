package io.millrace.striped;

import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceRegressionException;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.internal.ShownText;
import io.millrace.striped.KnownStripes.Known;
import java.util.PrimitiveIterator;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Spreads each sequence over several rows of another store, so that many processes do not queue on
 * one row. A row serves one reservation at a time, over all processes; with K rows, about K proceed
 * at once.
 *
 * <p><b>When to use it.</b> First reduce the number of reservations with a larger batch, which adds
 * no rows. Stripes help if reservations still wait for one another: the processes together make
 * more of them than one row serves, which is about 1 in the time of one transaction. The price is
 * order: values of different rows are issued side by side. So the store is not {@linkplain
 * #isOrdered ordered}, and values do not show which is older. A generator needs a {@code batchSize}
 * of 2 or more.
 *
 * <p><b>Which values.</b> The sequence {@code orders} has the rows {@code orders#0}, {@code
 * orders#1} and so on in the store beneath. Row {@code r} counts indices, and its index {@code i}
 * is the value {@code r + stride * i}, from the first such value that is not below the start value.
 * A block is a run of one row, {@link SequenceBlock#strided strided}. Two more rows, {@code
 * orders#stride} and {@code orders#start}, record what the sequence was created with. Every process
 * must use the recorded stride ({@link SequenceStrideException}). A name given to this store must
 * not contain a {@code #}.
 *
 * <p><b>Plain or striped.</b> A striped sequence also has the row {@code orders}, with no value
 * left. So a process that uses the store beneath directly gets no value of {@code orders} but a
 * {@link SequenceExhaustedException}. Do not delete this row. A sequence that exists as a plain one
 * is refused by {@link #create}, and {@link #stripe} makes it a striped one. A striped sequence
 * cannot become a plain one.
 *
 * <p><b>Not dense.</b> With K rows of a stride S, only K of every S numbers are issued: 16 of 1,024
 * by default. Numbers grow S/K times as fast as with a plain sequence, and of a range up to a
 * {@linkplain StripedSequenceStoreBuilder#maxValue largest value} K/S of the numbers are used. More
 * stripes use more of them; K equal to S uses all. If numbers must stay small, choose a small
 * stride.
 *
 * <p><b>More rows, or fewer.</b> {@link StripedSequenceStoreBuilder#stripes} may differ between
 * processes and change at any start. A missing row is created when it is first used. Because the
 * stride is fixed, a new row has values that no other row has, also while other processes run with
 * fewer rows. A row that is no longer used keeps its counter, and continues from there when it is
 * used again. No value is issued twice in either case.
 *
 * <p><b>A row that moved back</b>, as after a restore from a backup, is noticed if the store
 * beneath is {@linkplain SequenceStore#isOrdered() ordered}: a block whose values are below those
 * that this store got from the same row is refused with a {@link SequenceRegressionException}. A
 * process notices it if it got values of that row since it began to use the sequence, or in the
 * last hour. It does not notice it if it has evicted its generator since then, or while values are
 * given back to the sequence. In the same way, only a process that remembers a deleted row refuses
 * to use it. Another process creates the row again and issues its values twice.
 *
 * <p>All methods return cold {@code Mono}s. They block and fail like the store beneath; its errors
 * may name a row instead of the sequence. {@link SequenceNotFoundException}: the sequence was not
 * created by a striped store. {@link SequenceStrideException}: it was, with another stride. {@link
 * SequenceNotStripedException}: it is to be created, and is a plain one. {@link
 * SequenceExhaustedException}: no row in use has a value left. {@link IllegalArgumentException}: a
 * size below 1, or a name that is blank or has a {@code #}. Names have up to 8 characters more in
 * the store beneath.
 *
 * <pre>{@code
 * SequenceStore striped = StripedSequenceStore.builder(spannerStore).stripes(32).build();
 * }</pre>
 */
public final class StripedSequenceStore implements SequenceStore {

  /** How many rows are read, or created, at a time. */
  private static final int CONCURRENCY = 8;

  private final SequenceStore store;
  private final int stripes;
  private final int stride;
  private final long maxValue;
  private final StripeChoice choice;
  private final IntUnaryOperator random;
  private final LongSupplier clock;

  /** The sequences whose records were read and match this store. */
  private final KnownStripes sequences;

  StripedSequenceStore(StripedSequenceStoreBuilder builder) {
    this.store = builder.store;
    this.stripes = builder.stripes;
    this.stride = builder.stride;
    this.maxValue = builder.maxValue;
    this.choice = builder.choice;
    this.random = builder.random;
    this.clock = builder.clock;
    this.sequences = new KnownStripes(clock);
  }

  /**
   * Starts a striped store.
   *
   * @param store where the rows are kept
   * @return a builder with 16 stripes and a stride of 1,024
   */
  public static StripedSequenceStoreBuilder builder(SequenceStore store) {
    return new StripedSequenceStoreBuilder(store);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Makes one reservation in the store beneath; before the first one of a sequence, it reads the
   * two records. A missing row is created, and if a row is at its end, the others are asked. A row
   * at its end is not asked again while another row has values, even if other processes give values
   * back to it meanwhile. Each row skips its part of the values.
   *
   * @return a block of exactly {@code size} values of one row. At the end of the range, the block
   *     may contain values above the {@linkplain StripedSequenceStoreBuilder#maxValue largest
   *     value}. It is refused only if all its values are above. Errors: see the class
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
   * <p>The values go back to their row, if nothing was reserved from that row since. After that, or
   * after an hour without a request, this store forgets what it has in memory about the sequence.
   */
  @Override
  public Mono<Boolean> release(String sequence, SequenceBlock tail) {
    return isReleasable()
        ? with(
            sequence,
            striped -> striped.rows().release(tail).doFinally(end -> forgetUnlessInUse(striped)))
        : Mono.just(false);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Creates the records and all rows that this process uses, unless they exist. An existing
   * sequence keeps its start value. One with another stride is refused with a {@link
   * SequenceStrideException}, a plain one with a {@link SequenceNotStripedException}. May be called
   * again after any failure, and by many processes at once.
   *
   * <p>The store beneath has to support {@link SequenceStore#exhaust}. If it does not, this fails
   * with an {@link UnsupportedOperationException} after it has recorded the start value, and the
   * sequence has no values.
   *
   * @param startValue no value will be below it; the rows share out the values from there on
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
   * Makes a plain sequence of the store beneath a striped one, for good. The rows begin at or after
   * the plain counter. Then no process gets a value of the plain sequence any more: one that still
   * runs issues what it has reserved, and its next reservation fails with a {@link
   * SequenceExhaustedException}. So deploy processes that use this store at the same time, or stop
   * the others before.
   *
   * <p>Does nothing if the sequence is striped already. If plain processes reserve values
   * meanwhile, it tries again until none does between two of its requests. May be called again
   * after any failure or cancel, and by many processes at once.
   *
   * @param sequence the name of the sequence
   * @return completes once the sequence is striped. Errors: {@link SequenceNotFoundException} if
   *     there is no such sequence; {@link SequenceExhaustedException} if the plain sequence has no
   *     value left; {@link SequenceStrideException} if it is striped with another stride; {@link
   *     UnsupportedOperationException} if the store beneath does not support {@link
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
   * Not forgotten while a reservation is under way, because its block will be compared with what is
   * known.
   */
  private void forgetUnlessInUse(Known striped) {
    if (striped.chooser().inFlight() == 0) {
      sequences.forget(striped);
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>Reads all rows that this process uses, 8 at a time, so the state is not of one moment. The
   * next value is the smallest of the rows' next values; values above it may have been issued
   * already.
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
   * @param sequence the name of the sequence
   * @return for each row that this process uses, in their order, its name in the store beneath and
   *     its next <em>value</em>; {@link Long#MAX_VALUE} if it has none left. Errors: as for {@link
   *     #state}
   */
  public Flux<SequenceState> rows(String sequence) {
    return with(sequence, Mono::just)
        .flatMapMany(
            striped ->
                Flux.range(0, stripes).flatMapSequential(striped.rows()::state, CONCURRENCY));
  }

  /** False: rows are asked side by side, even if the store beneath is ordered. */
  @Override
  public boolean isOrdered() {
    return false;
  }

  /** The same as for the store beneath. */
  @Override
  public boolean isReleasable() {
    return store.isReleasable();
  }

  /** The same as for the store beneath. */
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
                "the name of a striped sequence has no '#', which sets its rows apart, was "
                    + ShownText.quote(sequence));
          }
          return request.get();
        });
  }

  private Mono<Known> striped(String sequence) {
    Known known = sequences.find(sequence);
    StripedRecords records = new StripedRecords(store, sequence);
    return known != null
        ? Mono.just(known)
        : record(sequence, records.strideRow())
            .flatMap(
                recorded ->
                    recorded == stride
                        ? record(sequence, records.startRow())
                        : Mono.error(new SequenceStrideException(sequence, recorded, stride)))
            .map(start -> sequences.learn(sequence, () -> striped(sequence, start)));
  }

  private Known striped(String sequence, long startValue) {
    return new Known(
        sequence,
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
