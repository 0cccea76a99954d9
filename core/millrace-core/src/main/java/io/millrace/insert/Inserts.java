package io.millrace.insert;

import static io.millrace.internal.Ranges.inRange;

import io.millrace.InvalidOptionException;
import io.millrace.Sequence.Assigner;
import io.millrace.TransactionalSequence;
import io.millrace.TransactionalSequences;
import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.spi.GroupTransactions;
import io.millrace.insert.spi.Numbering;
import io.millrace.insert.spi.TimeLimit;
import io.millrace.internal.ReactorVersion;
import io.millrace.periodic.PeriodicNumbers;
import io.millrace.periodic.PeriodicValue;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;
import reactor.util.retry.RetryBackoffSpec;

/**
 * The operators of an insert pipeline, and the options that do not depend on the database.
 *
 * <p>{@link #rows()}, {@link #commits()} and {@link #outcomes()} return operators for {@code
 * Flux.transform}. Each collects rows into groups, writes every group in one transaction, up to
 * {@code concurrency} groups at a time, and emits each row after its transaction was committed.
 * They differ in what they emit and how they handle failures. {@link #writer()} returns a writer
 * for rows that do not come from a stream.
 *
 * <p><b>Groups.</b> A group is written when it has {@code groupSize} rows, when the next row would
 * exceed {@code maxCells} or {@code maxBytes}, when {@code maxDelay} has passed since its first
 * row, when the source has ended, or when the source cannot emit more before a group is written.
 *
 * <p><b>Demand.</b> At most {@code groupSize * (concurrency + 1)} rows are requested from the
 * source and not yet emitted: the groups being written, and one being emitted. The operator
 * requests as many rows as the writers can take, even before the subscriber requests them: with
 * {@code take(n)} downstream, more than {@code n} rows may be written. A slow database or a slow
 * subscriber slows the source down.
 *
 * <p><b>Cancelling</b> stops the source, rolls back the transactions that have not sent their
 * commit, and passes every row that was not emitted to {@code Flux.doOnDiscard}; the rows of a
 * commit under way, or of a statement without a transaction, may or may not be written.
 *
 * <p><b>Threads.</b> Rows are prepared and emitted, one at a time, on the thread of the source, of
 * the database's answer, of the timer or of the subscriber's request. Transactions see the
 * subscriber's {@code Context}.
 *
 * <p>The setters are not thread-safe. An operator keeps the options with which it was created, and
 * may be applied to any number of streams.
 *
 * @param <C> the type of a transaction, for {@link #numbered}, or {@code Void}
 * @param <S> the type of the subclass
 */
public abstract class Inserts<T, C, S extends Inserts<T, C, S>> {

  private static final Function<Object, ?> ONE_SHARD = row -> "all rows";

  private final long cellLimit;
  private final long byteLimit;

  private int groupSize = 500;
  private int concurrency = 4;
  private Duration maxDelay = Duration.ofMillis(20);
  private long maxCells;
  private long maxBytes;
  private Function<? super T, ?> shard = ONE_SHARD;
  private boolean ordered;
  private @Nullable Numbering<T, C> numbering;
  private Scheduler scheduler = Schedulers.parallel();
  private int maxWaiting = 10_000;
  private Duration acquireTimeout = Duration.ofSeconds(30);
  private RowWriterMetricsRecorder[] metrics = {};
  private Duration transactionTimeout = Duration.ofSeconds(30);
  private RetryBackoffSpec retries = backoff(5, Duration.ofMillis(100), Duration.ofSeconds(5));

  /**
   * Creates a pipeline with every option at its default.
   *
   * @param cellLimit how many cells the database accepts in a commit; the default of {@code
   *     maxCells}
   * @param byteLimit how many bytes the database accepts in a commit
   * @param maxBytes the default of {@code maxBytes}
   */
  protected Inserts(long cellLimit, long byteLimit, long maxBytes) {
    this.cellLimit = cellLimit;
    this.byteLimit = byteLimit;
    this.maxCells = cellLimit;
    this.maxBytes = maxBytes;
  }

  /**
   * Sets the largest number of rows in a group. Defaults to 500.
   *
   * @param rows 1 to 100,000
   * @throws InvalidOptionException if {@code rows} is out of range
   */
  public S groupSize(int rows) {
    groupSize = inRange("groupSize", rows, 1, 100_000);
    return self();
  }

  /**
   * Sets how many groups are written at the same time. Defaults to 4.
   *
   * @param groups 1 to 10,000
   * @throws InvalidOptionException if {@code groups} is out of range
   */
  public S concurrency(int groups) {
    concurrency = inRange("concurrency", groups, 1, 10_000);
    return self();
  }

  /**
   * Sets how long the first row of a group waits for others. Defaults to 20 ms. With zero, a group
   * is written as soon as a writer is free.
   *
   * @param delay from 0 to 365 days
   * @throws InvalidOptionException if {@code delay} is outside that range
   */
  public S maxDelay(Duration delay) {
    maxDelay = inRange("maxDelay", delay, Duration.ZERO);
    return self();
  }

  /**
   * Sets the largest number of cells that a group writes. A single row that has more is rejected.
   * Defaults to the database's limit.
   *
   * @param cells 1 to the database's limit
   * @throws InvalidOptionException if {@code cells} is out of range
   */
  public S maxCells(long cells) {
    maxCells = inRange("maxCells", cells, 1, cellLimit);
    return self();
  }

  /**
   * Sets the approximate number of bytes that a group may write. A single row that has more is
   * rejected. The default depends on the database.
   *
   * @param bytes 1 to the database's limit
   * @throws InvalidOptionException if {@code bytes} is out of range
   */
  public S maxBytes(long bytes) {
    maxBytes = inRange("maxBytes", bytes, 1, byteLimit);
    return self();
  }

  /**
   * Collects rows by shard, so that a commit touches one part of the key space. By default all rows
   * are collected in one group.
   *
   * @param shard returns the shard of a row, an immutable object that is compared with {@code
   *     equals}
   */
  public S groupedBy(Function<? super T, ?> shard) {
    this.shard = Objects.requireNonNull(shard, "shard");
    return self();
  }

  /**
   * Emits rows in the order of the source; with {@link #groupedBy}, the rows of each shard in their
   * order. By default rows are emitted as their groups are committed, which is faster.
   */
  public S ordered() {
    ordered = true;
    return self();
  }

  /**
   * Sets the scheduler, and clock, of {@code maxDelay}, {@link #transactionTimeout} and the backoff
   * of {@link #retries}. A {@link RowWriter} starts transactions on it. Defaults to {@code
   * Schedulers.parallel()}. If it rejects a timer, no row waits for others, there are no time
   * limits, and no group is retried. It must not be disposed while there is work.
   */
  public S scheduler(Scheduler scheduler) {
    this.scheduler = Objects.requireNonNull(scheduler, "scheduler");
    return self();
  }

  /**
   * Assigns each row a number of a sequence in the transaction that writes it: unique, without
   * gaps, and rising in the order of the group. Groups that are written at the same time wait for
   * each other, because each locks the sequence's counter: use {@code concurrency(1)}.
   *
   * <p>Elements are mapped after they have their number, so a group may turn out to exceed a limit
   * only in its transaction; it is then split. Within the database's limit, 2 cells are reserved
   * for the counter.
   *
   * <p>A row that the database skips without an error, as a PostgreSQL trigger that returns NULL
   * does, leaves a gap and is reported as written.
   *
   * <p>After a lost answer, the rows are looked up, and written again with other numbers if they
   * are missing, provided that the key by which they are found does not depend on their numbers.
   * This is checked with the next numbers before the look-up, and the transaction that writes the
   * rows again compares the keys with those that were sent. If a key differs, nothing is written,
   * and the outcome of the rows is {@link InsertOutcome.Unknown}. Their numbers are used up if and
   * only if the rows were written.
   *
   * <p>The assigner and the function that maps a row are therefore called at least once for each
   * attempt, and more often after a lost answer or if a database can write the group with one
   * statement, also with numbers that the row does not receive. They must have no side effects.
   *
   * @param sequence the source of the numbers, from a store in the same database
   * @param assigner combines an element and its number
   */
  public S numbered(TransactionalSequence<C> sequence, Assigner<? super T, ? extends T> assigner) {
    numbering = Numbering.of(sequence, assigner);
    return self();
  }

  /**
   * Assigns each row a number that restarts with each period, otherwise like {@link
   * #numbered(TransactionalSequence, Assigner)}. The rows of a group have numbers of one period:
   * the one in which their transaction takes them. A row that waits for its transaction at the end
   * of the year may receive a number of the next year, so date it with {@link PeriodicValue#date}.
   *
   * @param counters the counters of a store in the same database
   * @param numbers the definition of the numbers
   * @param assigner combines an element and its number
   */
  public S numbered(
      TransactionalSequences<C> counters,
      PeriodicNumbers numbers,
      BiFunction<? super T, ? super PeriodicValue, ? extends T> assigner) {
    numbering = Numbering.of(counters, numbers, null, assigner);
    return self();
  }

  /**
   * Assigns each row a number of its tenant that restarts with each period. The rows of a group
   * have numbers of one period. A row fails individually if {@link PeriodicNumbers#forTenant} or
   * the store refuses its tenant, as in {@link #numbered(TransactionalSequences, Function,
   * Assigner)}.
   *
   * @param counters the counters of a store in the same database
   * @param numbers the definition of the numbers
   * @param tenant returns the tenant of an element, always the same; called at least as often as
   *     the assigner, must not block
   * @param assigner combines an element and its number
   */
  public S numbered(
      TransactionalSequences<C> counters,
      PeriodicNumbers numbers,
      Function<? super T, String> tenant,
      BiFunction<? super T, ? super PeriodicValue, ? extends T> assigner) {
    Objects.requireNonNull(tenant, "tenant");
    numbering = Numbering.of(counters, numbers, tenant, assigner);
    return self();
  }

  /**
   * Assigns each row a number of the sequence that it names, for example one for each tenant or
   * account, otherwise like {@link #numbered(TransactionalSequence, Assigner)}. The rows of a group
   * may name any number of sequences. The numbers of each have no gaps, and rise in the order of
   * the group. The counters of a group are locked together.
   *
   * <p>Groups that have a name in common wait for each other. Use {@code concurrency(1)}, or
   * collect the rows of a name with {@link #groupedBy} to write groups of different names at the
   * same time. Up to 4 cells are reserved for each row.
   *
   * <p>A row fails individually, and takes no number, if {@code name} throws or returns null for
   * it, or if the sequence is missing, exhausted or has an illegal name. With {@link #outcomes()}
   * and {@link #writer()} the other rows of its group are written, in another transaction.
   *
   * @param sequences the source of the numbers, from a store in the same database
   * @param name returns the name of an element's sequence, always the same; called at least as
   *     often as the assigner, must not block
   * @param assigner combines an element and its number. If it throws, only this row fails, and the
   *     next row of the name receives the number
   */
  public S numbered(
      TransactionalSequences<C> sequences,
      Function<? super T, String> name,
      Assigner<? super T, ? extends T> assigner) {
    Objects.requireNonNull(assigner, "assigner");
    return numbered(
        sequences, name, row -> 1, (row, numbers) -> assigner.apply(row, numbers.get(0)));
  }

  /**
   * Assigns each row one or more numbers of the sequence that it names, for example in an event
   * store whose rows append events to a stream.
   *
   * @param sequences the source of the numbers, from a store in the same database
   * @param name returns the name of an element's sequence, always the same; called at least as
   *     often as the assigner, must not block
   * @param count returns how many numbers an element takes, 1 or more, always the same; called at
   *     least as often as the assigner, must not block. A group of elements that take more than
   *     1,000,000 in total is split, and an element that takes more is rejected
   * @param assigner combines an element and its numbers, an unmodifiable list
   */
  public S numbered(
      TransactionalSequences<C> sequences,
      Function<? super T, String> name,
      ToIntFunction<? super T> count,
      BiFunction<? super T, ? super List<Long>, ? extends T> assigner) {
    numbering = Numbering.of(sequences, name, count, assigner);
    return self();
  }

  /** {@return the numbering of the rows in their transaction; null if rows are not numbered} */
  protected final @Nullable Numbering<T, C> numbering() {
    return numbering;
  }

  /**
   * Sets how often a group is retried when the database cannot be reached or a commit's answer is
   * lost. Defaults to 5 times, with delays from 100 ms, doubled each time up to 5 s, and randomized
   * by up to half. Transactions that conflict with each other are also retried, which does not
   * count.
   *
   * @param times 0 or more; with 0 the outcome of every lost answer is unknown
   * @param minBackoff the first delay, from 1 ms to 365 days
   * @param maxBackoff the longest delay, from {@code minBackoff} to 365 days
   * @throws InvalidOptionException if any is outside its range
   */
  public S retries(int times, Duration minBackoff, Duration maxBackoff) {
    inRange("retries times", times, 0, Integer.MAX_VALUE);
    inRange("retries minBackoff", minBackoff, Duration.ofMillis(1));
    inRange("retries maxBackoff", maxBackoff, minBackoff);
    retries = backoff(times, minBackoff, maxBackoff);
    return self();
  }

  /**
   * Sets the time limit of one attempt at the transaction of a group, from the request for a
   * connection to the answer to the commit, including waits for locks, and of one look-up of its
   * rows. Defaults to 30 seconds. 0 means no limit. Attempts that begin together share a timer, so
   * an attempt may end up to a hundredth of the limit earlier.
   *
   * <p>Work that takes longer is cancelled. If the commit was sent, its answer is lost: the rows
   * are looked up, or are {@link InsertOutcome.Unknown} if they cannot be. Otherwise nothing was
   * written. The group is retried according to {@link #retries}. If the last attempt also exceeds
   * the limit, the reason of its rows is an {@link InsertTimeoutException}.
   *
   * @param timeout from 0 to 365 days
   * @throws InvalidOptionException if {@code timeout} is outside that range
   */
  public S transactionTimeout(Duration timeout) {
    transactionTimeout = inRange("transactionTimeout", timeout, Duration.ZERO);
    return self();
  }

  /**
   * Sets how many rows may wait in a {@link #writer()} for their transaction. The next row is
   * rejected at once, and so is any call of {@link RowWriter#writeAll} with more rows. Defaults to
   * 10,000. Does not apply to a pipeline.
   *
   * @param rows 1 to 10,000,000
   * @throws InvalidOptionException if {@code rows} is out of range
   */
  public S maxWaiting(int rows) {
    maxWaiting = inRange("maxWaiting", rows, 1, 10_000_000);
    return self();
  }

  /**
   * Sets how long a row may wait in a {@link #writer()} until it is part of a group. The time of
   * its transaction, which {@link #transactionTimeout} and {@link #retries} limit, is not included.
   * Defaults to 30 seconds. 0 means no limit. Does not apply to a pipeline.
   *
   * @param timeout from 0 to 365 days
   * @throws InvalidOptionException if {@code timeout} is outside that range
   */
  public S acquireTimeout(Duration timeout) {
    acquireTimeout = inRange("acquireTimeout", timeout, Duration.ZERO);
    return self();
  }

  /**
   * Sets the recorders of the events of a {@link #writer()}, which replace those that were set
   * before. Defaults to none. Does not apply to a pipeline.
   */
  public S metrics(RowWriterMetricsRecorder... recorders) {
    metrics = List.of(recorders).toArray(RowWriterMetricsRecorder[]::new); // none is null
    return self();
  }

  private static RetryBackoffSpec backoff(int times, Duration min, Duration max) {
    return Retry.backoff(times, min)
        .maxBackoff(max)
        .onRetryExhaustedThrow((spec, last) -> last.failure());
  }

  /**
   * Returns an operator that emits the rows as they are committed, and fails with the first group
   * that fails. After that failure it requests nothing more from the source, waits for the groups
   * being written, emits their rows, and discards the rows that were not sent.
   *
   * @return the operator. Errors: {@link InsertFailedException}, or the source's error after the
   *     rows before it have been written
   */
  public Function<Flux<T>, Flux<T>> rows() {
    return operator(false, InsertOutcome::row);
  }

  /**
   * Returns an operator like {@link #rows()} that also emits the commit timestamp of each row.
   *
   * @return the operator, with errors as for {@link #rows()}
   */
  public Function<Flux<T>, Flux<Committed<T>>> commits() {
    return operator(false, outcome -> (Committed<T>) outcome);
  }

  /**
   * Returns an operator that continues after a failure, and emits the outcome of each row. A group
   * that the database rejects is split to find the rows at fault, so a duplicate key rejects only
   * its row.
   *
   * @return the operator. Errors: the source's, after the rows before it have been written
   */
  public Function<Flux<T>, Flux<InsertOutcome<T>>> outcomes() {
    return operator(true, outcome -> outcome);
  }

  /**
   * Returns a writer for single rows, whose calls share transactions. The options apply as they do
   * to a pipeline, except that a writer does not wait for more rows, so {@code maxDelay} has no
   * effect, and that with {@code numbered} one transaction runs at a time, regardless of {@code
   * concurrency}. {@link #maxWaiting}, {@link #acquireTimeout} and {@link #metrics} apply only to a
   * writer.
   *
   * @return a writer, which keeps its options
   * @throws IllegalStateException if {@code groupedBy} or {@code ordered} is set, which do not
   *     apply to a writer
   */
  public RowWriter<T> writer() {
    if (shard != ONE_SHARD || ordered) {
      throw new IllegalStateException(
          (ordered ? "ordered" : "groupedBy") + " does not apply to a writer: remove it");
    }
    ReactorVersion.check();
    return new GroupingRowWriter<>(
        groupWriter(true), settings(numbering == null ? concurrency : 1), metrics);
  }

  private <R> Function<Flux<T>, Flux<R>> operator(
      boolean isolate, Function<InsertOutcome<T>, R> result) {
    ReactorVersion.check();
    GroupInsert.Writer<T, ?> writer = groupWriter(isolate);
    InsertSettings<T> settings = settings(concurrency);
    return source ->
        Flux.deferContextual(
            context -> new InsertStream<>(writer, settings, result, context).results(source));
  }

  private InsertSettings<T> settings(int transactions) {
    return new InsertSettings<>(
        groupSize,
        transactions,
        maxDelay,
        maxCells,
        maxBytes,
        shard,
        ordered,
        maxWaiting,
        acquireTimeout,
        scheduler);
  }

  private GroupInsert.Writer<T, ?> groupWriter(boolean isolate) {
    TimeLimit limit = new TimeLimit(transactionTimeout, scheduler);
    return new GroupInsert.Writer<>(
        transactions(groupSize, maxCells, maxBytes, limit),
        limit,
        retries.scheduler(scheduler),
        isolate);
  }

  /**
   * Returns the part of the pipeline that depends on the database, with the options of the
   * subclass. The pipeline retries as set by {@link #retries}, determines the outcome of a commit
   * whose answer was lost, and, for {@link #outcomes}, splits rejected groups to find the rows at
   * fault.
   *
   * @param groupSize the option {@code groupSize}
   * @param maxCells the option {@code maxCells}
   * @param maxBytes the option {@code maxBytes}
   * @param limit the option {@code transactionTimeout}. {@link GroupTransactions#commit} applies it
   *     to each attempt; the pipeline applies it to {@link GroupTransactions#find}
   * @return commits groups and looks for rows
   */
  protected abstract GroupTransactions<T, ?> transactions(
      int groupSize, long maxCells, long maxBytes, TimeLimit limit);

  /** Returns this object, for the setters. */
  protected abstract S self();
}
