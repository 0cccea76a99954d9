package io.millrace.striped;

import io.millrace.SequenceBlock;
import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceRegressionException;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.SequenceStrideException;
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
 * <p><b>When to use it.</b> First make reservations fewer: a larger batch does, and adds no rows.
 * Stripes help when reservations still wait for one another, that is, when the processes together
 * make more of them than one row serves (a row serves about 1 in the time of one transaction). They
 * cost order: values of different rows are handed out side by side, so the store is not {@linkplain
 * #isOrdered ordered}, values do not tell which is older, and a generator needs a {@code batchSize}
 * of 2 or more.
 *
 * <p><b>Which values.</b> The sequence {@code orders} has the rows {@code orders#0}, {@code
 * orders#1} and so on in the store beneath. Row {@code r} counts indices, and its index {@code i}
 * is the value {@code r + stride * i}, from the first such value that is not below the start value.
 * A block is a run of one row, {@link SequenceBlock#strided strided}. Two more rows, {@code
 * orders#stride} and {@code orders#start}, are never moved: they record what the sequence was
 * created with. Every process is held to the recorded stride ({@link SequenceStrideException}). So
 * no name given to this store may have a {@code #}.
 *
 * <p><b>Not dense.</b> With K rows of a stride S, only K of every S numbers are ever given: 16 of
 * 1,024 by default. Numbers grow S/K times as fast as with a plain sequence, and a range up to a
 * {@linkplain StripedSequenceStoreBuilder#maxValue largest value} has K/S of its numbers. More
 * stripes open the rest; K equal to S leaves none out. Where numbers have to stay small, take a
 * small stride.
 *
 * <p><b>More rows, or fewer.</b> {@link StripedSequenceStoreBuilder#stripes} may differ between
 * processes and change at any start. A row that is not there yet is created when it is first used.
 * Since the stride is fixed, a new row takes values that no other row has, whoever still runs with
 * fewer; a row that falls out of use keeps its counter, and its values rest until it is used again.
 * No value is given twice either way.
 *
 * <p><b>A row that moved back</b>, as after a restore from a backup, is noticed where the store
 * beneath is {@linkplain SequenceStore#isOrdered() ordered}: a block of values below those that
 * this store was given from the same row is refused with a {@link SequenceRegressionException}. It
 * is noticed by a process that was given values of that row since it began to use the sequence, or
 * in the last hour; not by one that has evicted its generator meanwhile, nor while values are given
 * back to the sequence. Likewise a row that was deleted is refused only by a process that remembers
 * it; another one begins it again, and gives its values twice.
 *
 * <p>All methods return cold {@code Mono}s. They block and fail as the store beneath does; its
 * errors may name a row in place of the sequence. {@link SequenceNotFoundException}: the sequence
 * was not created by a striped store. {@link SequenceStrideException}: it was, with another stride.
 * {@link SequenceExhaustedException}: no row in use has a value left. {@link
 * IllegalArgumentException}: a size below 1, or a name that is blank or has a {@code #}. Names have
 * up to 8 characters more in the store beneath.
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

  /** The sequences whose records were read and agree with this store. */
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
   * <p>One reservation in the store beneath; before a sequence's first, two reads of its records. A
   * row that is missing is created, and if a row is at its end, the others are asked. A row found
   * at its end is not asked again while another is not; one that others then give values back to
   * may be among them.
   *
   * @return a block of exactly {@code size} values of one row. At the end of the range, those above
   *     the {@linkplain StripedSequenceStoreBuilder#maxValue largest value} are in it, too: only a
   *     block of nothing else is refused. Errors: see the class
   */
  @Override
  public Mono<SequenceBlock> reserve(String sequence, long size) {
    if (size < 1) {
      return Mono.error(
          new IllegalArgumentException("a reservation has at least 1 value, was " + size));
    }
    return with(sequence, striped -> reserve(striped, size));
  }

  /** Asks a row, and while rows are exhausted, another. A loop, on whatever stack rows answer. */
  private static Mono<SequenceBlock> reserve(Known striped, long size) {
    PrimitiveIterator.OfInt rows = striped.rows().toAsk(striped.chooser().choose());
    return Mono.defer(
            () -> {
              int row = rows.nextInt();
              return striped.chooser().measured(row, striped.rows().reserve(row, size));
            })
        .retryWhen(
            Retry.indefinitely()
                .filter(end -> end instanceof SequenceExhaustedException && rows.hasNext()));
  }

  /**
   * {@inheritDoc}
   *
   * <p>The values go back to their row, if nothing was reserved from that row since. Then, or after
   * an hour without a request, what this store has in memory of the sequence is forgotten.
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
   * <p>Creates the two records and all rows that this process uses, where they are missing. A
   * sequence that exists keeps its start value, and one with another stride is refused with a
   * {@link SequenceStrideException}. May be called again after any failure, and by many at once.
   *
   * <p>Where the store beneath has a plain sequence of the same name, the rows begin behind its
   * counter. Stop whatever takes values of the plain sequence for good before: what it reserves
   * later, the rows give too.
   *
   * @param startValue no value will be below it, nor below the counter of a plain sequence of this
   *     name; the rows share out the values from there on
   */
  @Override
  public Mono<Void> create(String sequence, long startValue) {
    return named(
        sequence,
        () -> {
          long start = SequenceState.starting(sequence, startValue).nextValue();
          return store
              .create(StripedRows.strideRow(sequence), stride)
              .then(Mono.defer(() -> behindPlain(sequence, start)))
              .flatMap(first -> store.create(StripedRows.startRow(sequence), first))
              .then(Mono.defer(() -> striped(sequence)))
              .flatMap(
                  striped ->
                      Flux.range(0, stripes).flatMap(striped.rows()::create, CONCURRENCY).then());
        });
  }

  /** While a reservation is under way it compares its block with what is known. */
  private void forgetUnlessInUse(Known striped) {
    if (striped.chooser().inFlight() == 0) {
      sequences.forget(striped);
    }
  }

  /** The start value, or the counter of a plain sequence of that name if it is beyond. */
  private Mono<Long> behindPlain(String sequence, long startValue) {
    return store
        .state(sequence)
        .map(plain -> Math.max(startValue, plain.nextValue()))
        .onErrorResume(SequenceNotFoundException.class, none -> Mono.just(startValue));
  }

  /**
   * {@inheritDoc}
   *
   * <p>Reads all rows that this process uses, 8 at a time; so it is not of one moment. The next
   * value is the smallest of the rows' next values; others above it may have been given already.
   */
  @Override
  public Mono<SequenceState> state(String sequence) {
    return rows(sequence)
        .reduce((one, other) -> one.nextValue() <= other.nextValue() ? one : other)
        .map(smallest -> new SequenceState(sequence, smallest.nextValue()));
  }

  /**
   * Reads where each row of a sequence stands, to see how the load is spread.
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

  /** False: rows are asked side by side, whatever the store beneath promises. */
  @Override
  public boolean isOrdered() {
    return false;
  }

  /** As the store beneath. */
  @Override
  public boolean isReleasable() {
    return store.isReleasable();
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
                "the name of a striped sequence must not be blank, was '" + sequence + "'");
          }
          if (sequence.indexOf('#') >= 0) {
            throw new IllegalArgumentException(
                "the name of a striped sequence has no '#', which sets its rows apart, was '"
                    + sequence
                    + "'");
          }
          return request.get();
        });
  }

  private Mono<Known> striped(String sequence) {
    Known known = sequences.find(sequence);
    return known != null
        ? Mono.just(known)
        : record(sequence, StripedRows.strideRow(sequence))
            .flatMap(
                recorded ->
                    recorded == stride
                        ? record(sequence, StripedRows.startRow(sequence))
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
                    "the rows of " + this + " (there is no row '" + row + "')",
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
