package io.millrace.insert;

import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.InsertOutcome.Rejected;
import io.millrace.insert.InsertOutcome.Unknown;
import io.millrace.insert.spi.GroupFailedException;
import io.millrace.insert.spi.GroupTransactions;
import io.millrace.insert.spi.PreparedRow;
import io.millrace.insert.spi.TimeLimit;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
   * Writes groups, each in a transaction of its own.
   *
   * @param limit how long one look-up may take; the database limits its transactions
   * @param isolate whether a refused group is split to find the rows at fault
   */
  record Writer<T, P extends PreparedRow<T>>(
      GroupTransactions<T, P> database, TimeLimit limit, RetryBackoffSpec retries, boolean isolate)
      implements GroupWriter<T, P> {

    @Override
    public P prepare(T row) {
      return database.prepare(row);
    }

    @Override
    public Mono<List<InsertOutcome<T>>> write(List<P> group, BitSet joined) {
      return Mono.defer(() -> new GroupInsert<>(this, group, joined, null).run());
    }
  }

  /**
   * A commit that was not answered.
   *
   * @param sent the rows as it wrote them
   * @param settled whether a later commit has shown that this one has no effect
   */
  private record Doubt<P>(List<P> sent, Throwable reason, AtomicBoolean settled) {

    Doubt<P> part(List<Integer> indexes) {
      return new Doubt<>(indexes.stream().map(sent::get).toList(), reason, settled);
    }
  }

  private final Writer<T, P> writer;
  private final List<P> group;

  /** Has the index of each row that shares the fate of the row before it. */
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

  Mono<List<InsertOutcome<T>>> run() {
    return Mono.defer(this::next)
        .retryWhen(writer.retries().filter(failure -> failure == retryReason))
        .onErrorResume(this::afterLastStep)
        .map(this::unlessInDoubt);
  }

  /** Replaces rejections while a commit of this group, and not of a larger one, is in doubt. */
  private List<InsertOutcome<T>> unlessInDoubt(List<InsertOutcome<T>> outcomes) {
    Doubt<P> own = doubt;
    return own == null || own == inherited || own.settled().get()
        ? outcomes
        : outcomes.stream().map(GroupInsert::unlessRejected).toList();
  }

  private static <T> InsertOutcome<T> unlessRejected(InsertOutcome<T> outcome) {
    return outcome instanceof Rejected<T> rejected
        ? new Unknown<>(rejected.row(), rejected.reason())
        : outcome;
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

  /** There are no further retries. Perhaps the scheduler refused the timer. */
  private Mono<List<InsertOutcome<T>>> afterLastStep(Throwable failure) {
    Throwable reason = retryReason;
    if (reason == null) {
      return Mono.error(failure);
    }
    if (failure != reason) {
      reason.addSuppressed(failure);
    }
    return Mono.just(all(reason, Rejected::new));
  }

  private Mono<List<InsertOutcome<T>>> write() {
    GroupTransactions<T, P> database = writer.database();
    return (doubt == null ? database.commit(group) : commitAgain(doubt))
        .map(rows -> Collections.<InsertOutcome<T>>unmodifiableList(rows)) // for its type
        .onErrorResume(GroupFailedException.class, this::afterFailure);
  }

  private Mono<List<Committed<T>>> commitAgain(Doubt<P> lost) {
    return writer
        .database()
        .commitAgain(group, lost.sent())
        .doOnNext(
            rows -> lost.settled().compareAndSet(false, writer.database().isWrittenOnce(group)));
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
        .map(this::withRowsAsTheyCame)
        .onErrorResume(this::afterFailedSearch);
  }

  /** A row that may not be written is reported without the number it would have. */
  private List<InsertOutcome<T>> withRowsAsTheyCame(List<InsertOutcome<T>> outcomes) {
    List<InsertOutcome<T>> all = new ArrayList<>();
    for (int i = 0; i < outcomes.size(); i++) {
      InsertOutcome<T> outcome = outcomes.get(i);
      all.add(
          outcome instanceof Unknown<T> unknown
              ? new Unknown<>(group.get(i).row(), unknown.reason())
              : outcome);
    }
    return all;
  }

  /**
   * The calls whose rows cannot be looked up follow the others: if those are written again, the
   * lost commit has no effect.
   */
  private Mono<List<InsertOutcome<T>>> afterFailedSearch(Throwable failure) {
    if (!(failure instanceof GroupFailedException search)
        || (search.kind() != GroupFailedException.Kind.UNKNOWN && search.faults().isEmpty())) {
      return retry(failure);
    }
    List<List<Integer>> parts = apart(indexes(search.faults()));
    return search.faults().isEmpty() || parts.get(0).isEmpty()
        ? Mono.just(unknown(search.reason()))
        : inParts(parts, new TreeMap<>()).map(GroupInsert::inOrder);
  }

  private List<InsertOutcome<T>> unknown(Throwable reason) {
    if (doubt != null && doubt.reason() != reason) {
      reason.addSuppressed(doubt.reason());
    }
    return all(reason, Unknown::new);
  }

  /** The group was refused, and wrote none of its rows. */
  private Mono<List<InsertOutcome<T>>> refused(GroupFailedException failure) {
    if (writer.isolate() && failure.faults().size() == group.size()) {
      return withoutFaults(failure.faults());
    }
    boolean splits =
        switch (failure.kind()) {
          case TOO_LARGE -> true;
          case ROWS_REFUSED, ROW_AT_FAULT -> writer.isolate();
          default -> false;
        };
    int middle = splits ? middle() : 0;
    return middle == 0
        ? Mono.just(all(failure.reason(), Rejected::new))
        : existing(failure)
            .map(this::apart)
            .defaultIfEmpty(halves(middle))
            .flatMap(parts -> inParts(parts, new TreeMap<>()))
            .map(GroupInsert::inOrder);
  }

  /**
   * Writes the calls without a fault, then rejects those with one. A fault may depend on the
   * numbers of the rows before it. So calls behind a row that was not committed are written again.
   * Each round settles a call: those without a fault, or else the first one.
   */
  private Mono<List<InsertOutcome<T>>> withoutFaults(List<@Nullable Throwable> faults) {
    List<List<Integer>> parts = apart(indexes(faults));
    return inParts(parts.subList(0, 1), new TreeMap<>())
        .flatMap(
            known -> inParts(List.of(reject(parts.subList(1, parts.size()), faults, known)), known))
        .map(GroupInsert::inOrder);
  }

  /**
   * Rejects calls whose faults are certain.
   *
   * @param known the outcomes of the calls without a fault; gets those of the rejected ones
   * @return the rows of the other calls
   */
  private List<Integer> reject(
      List<List<Integer>> faulty,
      List<@Nullable Throwable> faults,
      Map<Integer, InsertOutcome<T>> known) {
    List<Integer> again = new ArrayList<>();
    boolean certain = known.values().stream().allMatch(Committed.class::isInstance);
    for (List<Integer> call : faulty) {
      if (certain) {
        Throwable fault =
            call.stream().map(faults::get).filter(Objects::nonNull).findFirst().orElseThrow();
        call.forEach(i -> known.put(i, new Rejected<>(group.get(i).row(), fault)));
        certain = call.stream().map(faults::get).allMatch(Objects::nonNull);
      } else {
        again.addAll(call);
      }
    }
    return again;
  }

  /** The index nearest to the middle at which rows do not belong together; 0 if there is none. */
  private int middle() {
    int half = group.size() / 2;
    int before = joined.previousClearBit(half);
    int after = joined.nextClearBit(half);
    boolean isAfterBetter = before == 0 || after - half <= half - before;
    return after < group.size() && isAfterBetter ? after : before;
  }

  /** The indexes of rows whose keys exist; empty if there are none, or if it is not known. */
  private Mono<BitSet> existing(GroupFailedException failure) {
    return failure.kind() == GroupFailedException.Kind.ROWS_REFUSED
        ? writer
            .limit()
            .limit(writer.database().existing(sent(failure), failure.reason()))
            .map(existing -> existing.get(0, group.size()))
            .filter(existing -> !existing.isEmpty())
            .onErrorComplete()
        : Mono.empty();
  }

  private List<List<Integer>> halves(int middle) {
    return List.of(indexes(0, middle), indexes(middle, group.size()));
  }

  /** The calls with one of some rows, each alone, after all others together. */
  private List<List<Integer>> apart(BitSet some) {
    List<Integer> others = new ArrayList<>();
    List<List<Integer>> parts = new ArrayList<>(List.of(others));
    int end;
    for (int first = 0; first < group.size(); first = end) {
      end = Math.min(joined.nextClearBit(first + 1), group.size());
      if (some.get(first, end).isEmpty()) {
        others.addAll(indexes(first, end));
      } else {
        parts.add(indexes(first, end));
      }
    }
    return parts;
  }

  /** The indexes of the rows with a fault. */
  private static BitSet indexes(List<@Nullable Throwable> faults) {
    BitSet indexes = new BitSet();
    for (int i = 0; i < faults.size(); i++) {
      indexes.set(i, faults.get(i) != null);
    }
    return indexes;
  }

  private static List<Integer> indexes(int from, int to) {
    return IntStream.range(from, to).boxed().toList();
  }

  /**
   * Writes parts of the group, one after the other.
   *
   * @param parts the indexes of the rows of each part
   * @param known the outcomes of the rows that are in no part
   * @return the outcomes by the index of their row
   */
  private Mono<Map<Integer, InsertOutcome<T>>> inParts(
      List<List<Integer>> parts, Map<Integer, InsertOutcome<T>> known) {
    return Flux.fromIterable(parts)
        .filter(part -> !part.isEmpty())
        .concatMap(
            part ->
                part(part)
                    .run()
                    .doOnNext(
                        outcomes -> {
                          for (int i = 0; i < part.size(); i++) {
                            known.put(part.get(i), outcomes.get(i));
                          }
                        }),
            0)
        .then(Mono.just(known));
  }

  private static <T> List<InsertOutcome<T>> inOrder(Map<Integer, InsertOutcome<T>> outcomes) {
    return List.copyOf(outcomes.values());
  }

  private GroupInsert<T, P> part(List<Integer> indexes) {
    BitSet together = new BitSet();
    for (int i = 0; i < indexes.size(); i++) {
      together.set(i, joined.get(indexes.get(i)));
    }
    return new GroupInsert<>(
        writer,
        indexes.stream().map(group::get).toList(),
        together,
        doubt == null || doubt.settled().get() ? null : doubt.part(indexes));
  }

  private List<InsertOutcome<T>> all(
      Throwable reason, BiFunction<T, Throwable, InsertOutcome<T>> outcome) {
    return group.stream().map(row -> outcome.apply(row.row(), reason)).toList();
  }
}
