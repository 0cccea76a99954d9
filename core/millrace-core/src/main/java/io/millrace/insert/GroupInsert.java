package io.millrace.insert;

import io.millrace.insert.InsertOutcome.Rejected;
import io.millrace.insert.InsertOutcome.Unknown;
import io.millrace.insert.spi.GroupFailedException;
import io.millrace.insert.spi.PreparedRow;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

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
 * <p>If the second commit is refused because of the content of the rows, the lost one is refused,
 * too. Any other refusal says nothing about the lost commit, which may still arrive.
 */
final class GroupInsert<T, P extends PreparedRow<T>> {

  /** A failure after which the next step is a retry, after a wait. */
  private static final class RetryableFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    RetryableFailure(Throwable cause) {
      super(null, cause, false, false);
    }

    Throwable reason() {
      return Objects.requireNonNull(getCause());
    }
  }

  private final TransactionWriter<T, P> writer;
  private final List<P> group;

  /** Whether a commit of this group was sent and not answered. */
  private boolean inDoubt;

  /** Why the next step is a retry; null while a step is under way. */
  private @Nullable Throwable retryReason;

  GroupInsert(TransactionWriter<T, P> writer, List<P> group) {
    this.writer = writer;
    this.group = group;
  }

  Mono<List<InsertOutcome<T>>> run() {
    return Mono.defer(this::next)
        .retryWhen(writer.retries().filter(RetryableFailure.class::isInstance))
        .onErrorResume(RetryableFailure.class, last -> Mono.just(giveUp(last.reason())))
        .onErrorResume(RejectedExecutionException.class, this::afterTimerRefused);
  }

  private Mono<List<InsertOutcome<T>>> next() {
    retryReason = null;
    return inDoubt ? find().switchIfEmpty(Mono.defer(this::write)) : write();
  }

  private RetryableFailure retryable(Throwable reason) {
    retryReason = reason;
    return new RetryableFailure(reason);
  }

  /** If the scheduler refuses the timer, there are no further retries. */
  private Mono<List<InsertOutcome<T>>> afterTimerRefused(RejectedExecutionException refused) {
    return retryReason == null ? Mono.error(refused) : Mono.just(giveUp(retryReason));
  }

  private Mono<List<InsertOutcome<T>>> write() {
    return writer
        .database()
        .commit(group)
        .map(rows -> List.<InsertOutcome<T>>copyOf(rows))
        .onErrorResume(GroupFailedException.class, this::afterFailure);
  }

  private Mono<List<InsertOutcome<T>>> afterFailure(GroupFailedException failure) {
    return switch (failure.kind()) {
      case UNKNOWN -> Mono.just(all(failure.reason(), Unknown::new));
      case IN_DOUBT -> {
        inDoubt = true;
        yield Mono.error(retryable(failure.reason()));
      }
      case TRANSIENT -> Mono.error(retryable(failure.reason()));
      default ->
          inDoubt
              ? find().switchIfEmpty(Mono.defer(() -> refusedInDoubt(failure)))
              : refused(failure);
    };
  }

  private Mono<List<InsertOutcome<T>>> refusedInDoubt(GroupFailedException failure) {
    return failure.kind() == GroupFailedException.Kind.ROWS_REFUSED
            && writer.database().absenceShows(group)
        ? refused(failure)
        : Mono.just(giveUp(failure.reason()));
  }

  /** The outcomes of the rows if all are there; empty if the lost commit had no effect. */
  private Mono<List<InsertOutcome<T>>> find() {
    return writer
        .limit()
        .limit(writer.database().find(group))
        .onErrorResume(this::afterFailedSearch);
  }

  private Mono<List<InsertOutcome<T>>> afterFailedSearch(Throwable failure) {
    return failure instanceof GroupFailedException search
            && search.kind() == GroupFailedException.Kind.UNKNOWN
        ? Mono.just(all(search.reason(), Unknown::new))
        : Mono.error(retryable(failure));
  }

  /** The group was refused, and none of its rows is written. */
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
    return splits && group.size() > 1 ? split() : Mono.just(all(failure.reason(), Rejected::new));
  }

  /** Rejects the rows at fault, and writes the others. */
  private Mono<List<InsertOutcome<T>>> withoutFaults(List<@Nullable Throwable> faults) {
    List<P> others = new ArrayList<>();
    for (int i = 0; i < group.size(); i++) {
      if (faults.get(i) == null) {
        others.add(group.get(i));
      }
    }
    Mono<List<InsertOutcome<T>>> written =
        others.isEmpty() ? Mono.just(List.of()) : new GroupInsert<>(writer, others).run();
    return written
        .filter(outcomes -> outcomes.size() == others.size()) // else no row has an outcome
        .map(outcomes -> merged(faults, outcomes.iterator()));
  }

  private List<InsertOutcome<T>> merged(
      List<@Nullable Throwable> faults, Iterator<InsertOutcome<T>> others) {
    List<InsertOutcome<T>> merged = new ArrayList<>();
    for (int i = 0; i < group.size(); i++) {
      Throwable fault = faults.get(i);
      merged.add(fault == null ? others.next() : new Rejected<>(group.get(i).row(), fault));
    }
    return merged;
  }

  private Mono<List<InsertOutcome<T>>> split() {
    int half = group.size() / 2;
    // One after the other in a loop, as transactions that fail at once would use up the stack.
    return Flux.just(group.subList(0, half), group.subList(half, group.size()))
        .concatMap(part -> new GroupInsert<>(writer, part).run())
        .concatMapIterable(outcomes -> outcomes)
        .collectList();
  }

  private List<InsertOutcome<T>> giveUp(Throwable failure) {
    return inDoubt ? all(failure, Unknown::new) : all(failure, Rejected::new);
  }

  private List<InsertOutcome<T>> all(
      Throwable reason, BiFunction<T, Throwable, InsertOutcome<T>> outcome) {
    return group.stream().map(row -> outcome.apply(row.row(), reason)).toList();
  }
}
