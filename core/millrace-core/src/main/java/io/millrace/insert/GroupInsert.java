package io.millrace.insert;

import static java.util.Objects.requireNonNull;

import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.InsertOutcome.Rejected;
import io.millrace.insert.InsertOutcome.Unknown;
import io.millrace.insert.spi.GroupFailedException;
import io.millrace.insert.spi.GroupFailedException.Kind;
import io.millrace.insert.spi.GroupTransactions;
import io.millrace.insert.spi.PreparedRow;
import io.millrace.insert.spi.TimeLimit;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.RetryBackoffSpec;

/**
 * The insertion of one group, until the outcome of every row is known. Each subscription has its
 * own instance, and one step at a time uses its fields.
 *
 * <p>After a commit whose answer was lost, the database is asked for the rows. A commit applies all
 * of them or none. If one is missing, the commit had no effect, and the group is written again.
 * That is safe: if the lost commit arrives later, one of the two commits meets existing rows and is
 * refused. If all rows are there with the values that were sent, they are committed. A row with
 * other values may have been changed after it was written, or another program may have written it.
 * Its outcome stays unknown.
 *
 * <p>Rows that get numbers in their transaction have others in the next one. So the rows of the
 * last commit in doubt are looked for, as they were sent. Had an earlier one taken effect instead,
 * they would be there with other numbers, and be unknown. They are written again only with the keys
 * that were sent, which the transaction compares before it writes.
 *
 * <p>A refusal of the second commit says nothing about the lost one: it may still arrive, and the
 * look-up misses a row whose key the database has changed. So a row that would be rejected is
 * unknown, unless a later commit of rows of the group has succeeded. Then the lost one has no
 * effect, because the database refuses to write a row twice.
 */
final class GroupInsert<T, P extends PreparedRow<T>> {

  /**
   * Writes groups, each in a transaction of its own. Many groups use one instance at the same time.
   *
   * @param limit how long one look-up may take; the database limits its transactions
   * @param isolate whether a refused group is split to find the rows at fault
   */
  record Writer<T, P extends PreparedRow<T>>(
      GroupTransactions<T, P> database,
      TimeLimit limit,
      RetryBackoffSpec retries,
      boolean isolate) {

    /**
     * Writes a group. Cancelling stops it if that is still possible.
     *
     * @param group the rows, at least one
     * @param joined has the index of each row that belongs to the call of the row before it. The
     *     rows of a call are committed in one transaction, or none of them is
     * @return the outcome of each row, in the order of the group. Never fails
     */
    Mono<List<InsertOutcome<T>>> write(List<P> group, BitSet joined) {
      return Mono.defer(() -> new GroupInsert<>(this, group, joined, null).run());
    }
  }

  /**
   * A commit that was not answered.
   *
   * @param sent the rows as it wrote them
   * @param settled whether a later commit has shown that this one has no effect
   */
  private record Doubt<P>(List<P> sent, Throwable reason, AtomicBoolean settled) {}

  private final Writer<T, P> writer;
  private final List<P> group;
  private final BitSet joined;

  /** The commit in doubt of the group that this is a part of; null if there is none. */
  private final @Nullable Doubt<P> inherited;

  /** The last commit that was sent and not answered; null if there is none. */
  private @Nullable Doubt<P> doubt;

  /** Why the next step is a retry; null while a step is under way. */
  private @Nullable Throwable retryReason;

  private GroupInsert(
      Writer<T, P> writer, List<P> group, BitSet joined, @Nullable Doubt<P> inherited) {
    this.writer = writer;
    this.group = group;
    this.joined = joined;
    this.inherited = inherited;
    this.doubt = inherited;
  }

  private Mono<List<InsertOutcome<T>>> run() {
    return Mono.defer(this::next)
        .retryWhen(writer.retries().filter(failure -> failure == retryReason))
        .onErrorResume(failure -> Mono.just(afterLastStep(failure)))
        .map(this::unlessInDoubt);
  }

  /** Replaces rejections while a commit of this group, and not of a larger one, is in doubt. */
  private List<InsertOutcome<T>> unlessInDoubt(List<InsertOutcome<T>> outcomes) {
    Doubt<P> own = doubt;
    return own == null || own == inherited || own.settled().get()
        ? outcomes
        : outcomes.stream()
            .map(each -> each instanceof Rejected<T> r ? new Unknown<>(r.row(), r.reason()) : each)
            .toList();
  }

  private Mono<List<InsertOutcome<T>>> next() {
    retryReason = null;
    return doubt != null ? find(doubt).switchIfEmpty(Mono.defer(this::write)) : write();
  }

  /** Fails a step, so that the next one is a retry. */
  private Mono<List<InsertOutcome<T>>> retry(Throwable reason) {
    retryReason = reason;
    return Mono.error(reason);
  }

  /** Ends without retries left, without a timer for one, or after an error without a meaning. */
  private List<InsertOutcome<T>> afterLastStep(Throwable failure) {
    Throwable reason = retryReason;
    if (reason == null) {
      return unknown(failure);
    }
    if (failure != reason) {
      reason.addSuppressed(failure);
    }
    return all(reason, Rejected::new);
  }

  private Mono<List<InsertOutcome<T>>> write() {
    GroupTransactions<T, P> database = writer.database();
    Doubt<P> lost = doubt;
    return (lost == null
            ? database.commit(group)
            : database
                .commitAgain(group, lost.sent())
                .doOnNext(
                    rows -> lost.settled().compareAndSet(false, database.isWrittenOnce(group))))
        .filter(rows -> rows.size() == group.size())
        .single()
        .map(rows -> Collections.<InsertOutcome<T>>unmodifiableList(rows)) // for its type
        .onErrorResume(GroupFailedException.class, this::afterFailure);
  }

  private Mono<List<InsertOutcome<T>>> afterFailure(GroupFailedException failure) {
    return switch (failure.kind()) {
      case UNKNOWN -> Mono.just(unknown(failure.reason()));
      case IN_DOUBT -> {
        doubt = new Doubt<>(sent(failure), failure.reason(), new AtomicBoolean());
        yield retry(failure.reason());
      }
      case TRANSIENT -> retry(failure.reason());
      default ->
          doubt != null
              ? find(doubt).switchIfEmpty(Mono.defer(() -> refused(failure)))
              : refused(failure);
    };
  }

  @SuppressWarnings("unchecked") // they were prepared by the same database
  private List<P> sent(GroupFailedException failure) {
    List<P> other = (List<P>) failure.sent();
    return other == null ? group : other;
  }

  /** The outcomes of the rows if all are there; empty if the lost commit had no effect. */
  private Mono<List<InsertOutcome<T>>> find(Doubt<P> lost) {
    return writer
        .limit()
        .limit(writer.database().find(group, lost.sent()))
        .map(found -> IntStream.range(0, group.size()).mapToObj(i -> asItCame(found, i)).toList())
        .onErrorResume(this::afterFailedSearch);
  }

  /** A row that may not be written is reported without the number it would have. */
  private InsertOutcome<T> asItCame(List<InsertOutcome<T>> found, int index) {
    return found.get(index) instanceof Unknown<T> unknown
        ? new Unknown<>(group.get(index).row(), unknown.reason())
        : found.get(index);
  }

  /**
   * The calls whose rows cannot be looked up follow the others: if those are written again, the
   * lost commit has no effect.
   */
  private Mono<List<InsertOutcome<T>>> afterFailedSearch(Throwable failure) {
    if (!(failure instanceof GroupFailedException search)
        || (search.kind() != Kind.UNKNOWN && search.faults().isEmpty())) {
      return retry(failure);
    }
    List<List<Integer>> parts = apart(indexes(search.faults()));
    return parts.size() == 1 || parts.get(0).isEmpty()
        ? Mono.just(unknown(search.reason()))
        : inParts(parts, new TreeMap<>());
  }

  private List<InsertOutcome<T>> unknown(Throwable reason) {
    if (doubt != null && doubt.reason() != reason) {
      reason.addSuppressed(doubt.reason());
    }
    return all(reason, Unknown::new);
  }

  /** The group was refused, and wrote none of its rows. */
  private Mono<List<InsertOutcome<T>>> refused(GroupFailedException failure) {
    List<List<Integer>> calls = calls();
    boolean splits =
        failure.kind() == Kind.TOO_LARGE
            || (writer.isolate() && failure.kind() != Kind.GROUP_REFUSED);
    if (!splits || calls.size() == 1) {
      return Mono.just(all(failure.reason(), Rejected::new));
    }
    if (!failure.faults().isEmpty()) {
      return withoutFaults(failure.faults());
    }
    int middle = calls.size() / 2;
    return existing(failure)
        .map(this::apart)
        .defaultIfEmpty(
            List.of(
                together(calls.subList(0, middle)), together(calls.subList(middle, calls.size()))))
        .flatMap(parts -> inParts(parts, new TreeMap<>()));
  }

  /**
   * Writes the calls without a fault. A fault may depend on the numbers of the rows before it. So
   * rows with a fault are rejected only if all others are committed. Otherwise their calls are
   * written again.
   */
  private Mono<List<InsertOutcome<T>>> withoutFaults(List<@Nullable Throwable> faults) {
    List<List<Integer>> parts = apart(indexes(faults));
    List<Integer> faulty = together(parts.subList(1, parts.size()));
    boolean isEachAtFault = faulty.stream().allMatch(i -> faults.get(i) != null);
    Map<Integer, InsertOutcome<T>> known = new TreeMap<>();
    if (parts.get(0).isEmpty() && !isEachAtFault) {
      return inParts(parts, known);
    }
    return inParts(parts.subList(0, 1), known)
        .flatMap(
            others -> {
              if (!isEachAtFault || !others.stream().allMatch(Committed.class::isInstance)) {
                return inParts(List.of(faulty), known);
              }
              for (int i : faulty) {
                known.put(i, new Rejected<>(group.get(i).row(), requireNonNull(faults.get(i))));
              }
              return Mono.just(List.copyOf(known.values()));
            });
  }

  /** The indexes of rows whose keys exist; empty if there are none, or if it is not known. */
  private Mono<BitSet> existing(GroupFailedException failure) {
    return failure.kind() == Kind.ROWS_REFUSED
        ? writer
            .limit()
            .limit(writer.database().existing(sent(failure), failure.reason()))
            .filter(existing -> !existing.isEmpty())
            .onErrorComplete()
        : Mono.empty();
  }

  /** The indexes of the rows of each call. */
  private List<List<Integer>> calls() {
    List<List<Integer>> calls = new ArrayList<>();
    for (int i = 0; i < group.size(); i++) {
      if (!joined.get(i)) {
        calls.add(new ArrayList<>());
      }
      calls.get(calls.size() - 1).add(i);
    }
    return calls;
  }

  /** The calls with one of some rows, each alone, after all others together. */
  private List<List<Integer>> apart(BitSet some) {
    List<List<Integer>> parts = new ArrayList<>();
    parts.add(new ArrayList<>());
    for (List<Integer> call : calls()) {
      if (call.stream().anyMatch(some::get)) {
        parts.add(call);
      } else {
        parts.get(0).addAll(call);
      }
    }
    return parts;
  }

  private static List<Integer> together(List<List<Integer>> calls) {
    return calls.stream().flatMap(List::stream).toList();
  }

  /** The indexes of the rows with a fault. */
  private static BitSet indexes(List<@Nullable Throwable> faults) {
    return IntStream.range(0, faults.size())
        .filter(i -> faults.get(i) != null)
        .collect(BitSet::new, BitSet::set, BitSet::or);
  }

  /**
   * Writes parts of the group, one after the other.
   *
   * @param parts the indexes of the rows of each part
   * @param known the outcomes of rows that are in no part; gets those of the parts
   * @return all outcomes, in the order of the group
   */
  private Mono<List<InsertOutcome<T>>> inParts(
      List<List<Integer>> parts, Map<Integer, InsertOutcome<T>> known) {
    return Flux.fromIterable(parts)
        .filter(part -> !part.isEmpty())
        .concatMap(
            part ->
                part(part)
                    .run()
                    .doOnNext(
                        outcomes ->
                            IntStream.range(0, part.size())
                                .forEach(i -> known.put(part.get(i), outcomes.get(i)))),
            0)
        .then(Mono.fromSupplier(() -> List.copyOf(known.values())));
  }

  private GroupInsert<T, P> part(List<Integer> part) {
    BitSet calls = new BitSet();
    IntStream.range(0, part.size()).forEach(i -> calls.set(i, joined.get(part.get(i))));
    Doubt<P> all = doubt;
    Doubt<P> own =
        all == null || all.settled().get()
            ? null
            : new Doubt<>(select(part, all.sent()), all.reason(), all.settled());
    return new GroupInsert<>(writer, select(part, group), calls, own);
  }

  private static <E> List<E> select(List<Integer> indexes, List<E> from) {
    return indexes.stream().map(from::get).toList();
  }

  private List<InsertOutcome<T>> all(
      Throwable reason, BiFunction<T, Throwable, InsertOutcome<T>> outcome) {
    return group.stream().map(row -> outcome.apply(row.row(), reason)).toList();
  }
}
