package io.millrace.spanner;

import com.google.cloud.spanner.Mutation;
import io.millrace.insert.InsertOutcome;
import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.InsertOutcome.Rejected;
import io.millrace.insert.InsertOutcome.Unknown;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import reactor.core.publisher.Mono;

/**
 * The insertion of one group, until it is known what became of every row. One instance a
 * subscription; its field is touched by one step at a time.
 *
 * <p>After a commit whose answer was lost the rows are looked for. A commit applies all of them or
 * none; so if one is missing, the commit had no effect, and the group is written again, safely: if
 * the lost commit should arrive only now, one of the two meets rows that exist, and is refused. If
 * all are there with the values that were sent, they are written. A row that is there with other
 * values may have been written and then changed, or be somebody else's: its outcome stays unknown.
 *
 * <p>If the second commit is refused for what the rows are, the lost one will be too. A refusal for
 * anything else says nothing about the lost commit, which may yet arrive.
 */
final class GroupInsert<T> {

  /** A failure after which the next step is to be tried after a while. */
  private static final class TryAgain extends RuntimeException {

    private static final long serialVersionUID = 1L;

    TryAgain(Throwable cause) {
      super(null, cause, false, false);
    }

    Throwable reason() {
      return Objects.requireNonNull(getCause());
    }
  }

  private final InsertPolicy<T> policy;
  private final List<PreparedMutations<T>> group;

  /** Whether a commit of this group was sent and not answered. */
  private boolean doubtful;

  GroupInsert(InsertPolicy<T> policy, List<PreparedMutations<T>> group) {
    this.policy = policy;
    this.group = group;
  }

  Mono<List<InsertOutcome<T>>> run() {
    return Mono.defer(() -> doubtful ? find().switchIfEmpty(write()) : write())
        .retryWhen(policy.retries().filter(TryAgain.class::isInstance))
        .onErrorResume(TryAgain.class, last -> Mono.just(giveUp(last.reason())));
  }

  private Mono<List<InsertOutcome<T>>> write() {
    return SpannerTransactions.<List<PreparedMutations<T>>>committed(
            policy.client(),
            policy.transactionOptions(),
            transaction -> policy.body().run(transaction, group))
        .map(GroupInsert::committed)
        .onErrorResume(this::afterFailure);
  }

  private static <T> List<InsertOutcome<T>> committed(
      CommittedTransaction<List<PreparedMutations<T>>> transaction) {
    Instant at = Instants.of(transaction.timestamp());
    List<InsertOutcome<T>> outcomes = new ArrayList<>();
    for (PreparedMutations<T> row : transaction.result().orElseThrow()) {
      outcomes.add(new Committed<>(row.row(), at));
    }
    return outcomes;
  }

  private Mono<List<InsertOutcome<T>>> afterFailure(Throwable failure) {
    if (failure instanceof CommitOutcomeUnknownException) {
      if (!policy.isRepeatable()) {
        return Mono.just(all(failure, Unknown::new));
      }
      doubtful = true;
      return Mono.error(new TryAgain(failure));
    }
    if (RowFaults.mayPass(failure)) {
      return Mono.error(new TryAgain(failure));
    }
    if (!doubtful) {
      return refused(failure);
    }
    return find()
        .switchIfEmpty(
            Mono.defer(
                () ->
                    RowFaults.isRefusalOfRows(failure)
                        ? refused(failure)
                        : Mono.just(giveUp(failure))));
  }

  /** What became of the rows if all are there; empty if the lost commit had no effect. */
  private Mono<List<InsertOutcome<T>>> find() {
    List<Mutation> mutations = group.stream().flatMap(row -> row.mutations().stream()).toList();
    return policy
        .writtenRows()
        .find(mutations)
        .filter(found -> found.keySet().containsAll(mutations))
        .map(this::compare)
        .onErrorResume(
            failure ->
                failure instanceof WrittenRows.NotComparableException
                    ? Mono.just(all(failure, Unknown::new))
                    : Mono.error(new TryAgain(failure)));
  }

  private List<InsertOutcome<T>> compare(Map<Mutation, WrittenRow> found) {
    List<InsertOutcome<T>> outcomes = new ArrayList<>();
    for (PreparedMutations<T> row : group) {
      boolean same = true;
      Instant at = null;
      for (Mutation mutation : row.mutations()) {
        WrittenRow written = Objects.requireNonNull(found.get(mutation));
        same &= written.isOf(mutation);
        at = at == null ? written.committedAt(mutation) : at;
      }
      outcomes.add(
          same
              ? new Committed<>(row.row(), at)
              : new Unknown<>(
                  row.row(),
                  new IllegalStateException(
                      "the commit was not answered, and the row found has other values")));
    }
    return outcomes;
  }

  /** The group was refused and nothing of it is written. */
  private Mono<List<InsertOutcome<T>>> refused(Throwable failure) {
    if (failure instanceof NumberedBody.GroupTooLargeException tooLarge) {
      return group.size() == 1 ? rejected(tooLarge.ofSingleRow()) : split();
    }
    return group.size() > 1 && policy.isolate() && RowFaults.isRowFault(failure)
        ? split()
        : rejected(failure);
  }

  private Mono<List<InsertOutcome<T>>> rejected(Throwable reason) {
    return Mono.just(all(reason, Rejected::new));
  }

  private Mono<List<InsertOutcome<T>>> split() {
    int half = group.size() / 2;
    return new GroupInsert<>(policy, group.subList(0, half))
        .run()
        .flatMap(
            first ->
                new GroupInsert<>(policy, group.subList(half, group.size()))
                    .run()
                    .map(second -> concatenated(first, second)));
  }

  private static <O> List<O> concatenated(List<O> first, List<O> second) {
    List<O> all = new ArrayList<>(first);
    all.addAll(second);
    return all;
  }

  private List<InsertOutcome<T>> giveUp(Throwable failure) {
    return doubtful ? all(failure, Unknown::new) : all(failure, Rejected::new);
  }

  private List<InsertOutcome<T>> all(
      Throwable reason, BiFunction<T, Throwable, InsertOutcome<T>> outcome) {
    return group.stream().map(row -> outcome.apply(row.row(), reason)).toList();
  }
}
